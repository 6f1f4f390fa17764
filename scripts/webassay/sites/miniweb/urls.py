"""Oscar's addresses, with a home page of our own."""

from django.apps import apps
from django.urls import include, path

from webassay.sites.miniweb.views import Home

urlpatterns = [
    path("", Home.as_view(), name="front"),
    path("", include(apps.get_app_config("oscar").urls[0])),
]
