"""The shop's front page, and what every template knows of the sites."""

from typing import Any

from django.http import HttpRequest
from django.views.generic import TemplateView
from oscar.core.loading import get_model

from webassay.sites.miniweb import HOSTS

TITLES = {
    "shop": ("Fernhill & Co.", "Good things for outdoors and home"),
    "forum": ("Fernhill Community", "Customers help customers"),
    "wiki": ("Fernhill Handbook", "Care, repair and how we work"),
    "desk": ("Fernhill Help Desk", "We answer within a working day"),
}
"""Name and tagline of each site that customers see."""

Category = get_model("catalogue", "Category")
Product = get_model("catalogue", "Product")


class Home(TemplateView):
    template_name = "miniweb/home.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        products = Product.objects.browsable().base_queryset()
        return {
            **super().get_context_data(**kwargs),
            "departments": [(root, root.get_children()) for root in Category.get_root_nodes()],
            "best_rated": products.order_by("-rating", "pk")[:4],
            "newest": products.order_by("-date_created", "pk")[:8],
        }


def hosts(request: HttpRequest) -> dict[str, Any]:
    """Template variables for links from one host to another, with the port the visitor came by."""
    host, colon, port = request.get_host().partition(":")
    here = host.partition(".")[0]
    addresses = {name.partition(".")[0]: f"http://{name}{colon}{port}" for name in HOSTS}
    title, tagline = TITLES.get(here, TITLES["shop"])
    return {
        "site_name": here,
        "site_title": title,
        "site_tagline": tagline,
        "sites": [(name, title, addresses[name]) for name, (title, _) in TITLES.items()],
        **{f"{name}_address": address for name, address in addresses.items()},
    }
