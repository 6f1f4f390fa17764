"""The addresses of all five sites; which of them a host serves is the middleware's business."""

from django.apps import apps
from django.urls import include, path

from webassay.sites.miniweb.views import Home

urlpatterns = [
    path("", Home.as_view(), name="front"),
    path("forum/", include("machina.urls")),
    path("wiki/", include("wiki.urls")),
    path("helpdesk/", include("helpdesk.urls", namespace="helpdesk")),
    path("", include(apps.get_app_config("oscar").urls[0])),
]
