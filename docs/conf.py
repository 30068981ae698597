"""How Sphinx builds the pages by themselves: ``sphinx-build -W -c docs ir_segmeasures/pt_docs _site``.

PyTerrier collects the pages of an installed plugin (its folder ``pt_docs``) into its own documentation, with its own
configuration. So they use nothing but what Sphinx has without extensions.
"""

from importlib import metadata

project = 'ir_segmeasures'
author = 'The ir_segmeasures maintainers'
release = metadata.version('ir_segmeasures')
html_title = project
html_theme = 'alabaster'
html_theme_options = {'description': 'Measures for retrieval without a predefined unit', 'page_width': '1260px',
                      'fixed_sidebar': True}
html_show_copyright = False
