"""The report as a static site that opens with a double click: no server, no network, one click from number to evidence.

From `file://` browsers refuse fetch and modules, so data are classic scripts (`window.NAME = …`) beside the pages.
`assets/*.js` draw them with textContent alone: whatever a page, a model or a file name says is shown and never run.
"""
