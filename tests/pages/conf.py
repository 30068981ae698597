"""How Sphinx builds the pages by themselves, with the command of the page "contributing".

PyTerrier collects the pages of an installed plugin (its folder ``pt_docs``) into its own documentation, with its own
configuration and the same theme. So they use nothing but what both have: Sphinx and its extensions autodoc and
napoleon. Where sphinx-copybutton is installed, code has buttons that copy it without prompts and output; where
sphinx-mathjax-offline is installed, formulas are typeset without a network.
"""

from importlib import metadata
from importlib.util import find_spec

extensions = ['sphinx.ext.autodoc', 'sphinx.ext.napoleon',
              *(name for name in ('sphinx_copybutton', 'sphinx-mathjax-offline') if find_spec(name))]
copybutton_prompt_text, copybutton_prompt_is_regexp = r'>>> |\.\.\. ', True
project = 'ir_segmeasures'
author = 'The ir_segmeasures maintainers'
release = metadata.version('ir_segmeasures')
html_title = project
html_theme = 'furo'
# 12 pixels: most lines of code then fit into their boxes.
html_theme_options = {'light_css_variables': {'code-font-size': 'var(--font-size--small--3)'}}
html_static_path, html_css_files = ['phone.css'], ['phone.css']
html_show_copyright = False
autodoc_member_order = 'bysource'
autodoc_typehints = 'none'
napoleon_use_ivar = True
toc_object_entries_show_parents = 'hide'
