"""The shop's front page, and the host names for templates."""

from typing import Any

from django.http import HttpRequest
from django.views.generic import TemplateView
from oscar.core.loading import get_model

from webassay.sites.miniweb import HOSTS

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


def hosts(request: HttpRequest) -> dict[str, str]:
    """Template variables for links from one host to another, with the port the visitor came by."""
    host, colon, port = request.get_host().partition(":")
    addresses = {f"{name.partition('.')[0]}_address": f"http://{name}{colon}{port}" for name in HOSTS}
    return {"site_name": host.partition(".")[0], **addresses}
