"""How Sphinx builds the pages by themselves: ``sphinx-build -W -c docs ir_segmeasures/pt_docs _site``.

PyTerrier collects the pages of an installed plugin (its folder ``pt_docs``) into its own documentation, with its own
configuration. So they use nothing but what both have: Sphinx and its extensions autodoc and napoleon.
"""

from importlib import metadata

extensions = ['sphinx.ext.autodoc', 'sphinx.ext.napoleon']
project = 'ir_segmeasures'
author = 'The ir_segmeasures maintainers'
release = metadata.version('ir_segmeasures')
html_title = project
html_theme = 'alabaster'
html_theme_options = {'description': 'Measures for retrieval without a predefined unit', 'page_width': '1260px',
                      'body_max_width': '980px',
                      'fixed_sidebar': True}
html_show_copyright = False
autodoc_member_order = 'bysource'
autodoc_typehints = 'none'
