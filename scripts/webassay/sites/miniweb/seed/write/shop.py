"""The shop's shelves: places, categories, products with their pictures, reviews and wish lists."""

from collections import Counter
from pathlib import Path
from typing import Any

from django.contrib.sites.models import Site
from oscar.apps.catalogue.categories import create_from_breadcrumbs
from oscar.core.loading import get_model

from webassay.core.files import write_text
from webassay.sites.miniweb import SHOP
from webassay.sites.miniweb.seed.pictures import picture
from webassay.sites.miniweb.seed.plan import Plan
from webassay.sites.miniweb.seed.plan.catalogue import Category, Product
from webassay.sites.miniweb.seed.plan.curated import curated
from webassay.sites.miniweb.seed.plan.reviews import Review
from webassay.sites.miniweb.seed.plan.wishes import WishList
from webassay.sites.miniweb.seed.write.people import MoveTo, People

COUNTRIES = (("GB", "United Kingdom", 3), ("IE", "Ireland", 2), ("FR", "France", 1))


def write_shop(plan: Plan, media: Path, move_to: MoveTo) -> list[Any]:
    """Products as rows, in the plan's order; all that the past sells lies in stock when it opens."""
    write_categories(plan.categories)
    write_pictures(plan.products, media)
    sold = Counter[int]()
    for order in plan.orders:
        sold.update(dict(order.lines))
    return [write_product(number, product, sold[number], move_to) for number, product in enumerate(plan.products)]


def write_places() -> None:
    Site.objects.filter(pk=1).update(domain=SHOP, name="Fernhill & Co.")
    country = get_model("address", "Country")
    for code, name, display_order in COUNTRIES:
        country.objects.create(
            pk=code, printable_name=name, name=name, display_order=display_order, is_shipping_country=True
        )
    get_model("partner", "Partner").objects.create(name="Fernhill Warehouse", code="fernhill")
    get_model("payment", "SourceType").objects.create(name="Card", code="card")


def write_categories(categories: tuple[Category, ...], parents: tuple[str, ...] = ()) -> None:
    for category in categories:
        node = create_from_breadcrumbs(" > ".join((*parents, category.name)))
        node.description = category.description
        node.save()
        write_categories(category.children, (*parents, category.name))


def write_pictures(products: tuple[Product, ...], media: Path) -> None:
    drawings = curated("pictures")
    for number, product in enumerate(products):
        write_text(media / picture_name(number), picture(drawings[product.picture], number))
    write_text(media / "image_not_found.svg", picture(drawings["box"], 0))


def picture_name(number: int) -> str:
    return f"images/products/{number + 1:03d}.svg"


def write_product(number: int, product: Product, sold: int, move_to: MoveTo) -> Any:
    move_to(product.created)
    kind, _ = get_model("catalogue", "ProductClass").objects.get_or_create(name=product.product_class)
    row = get_model("catalogue", "Product").objects.create(
        title=product.title, upc=f"FH{2001 + 37 * number}", description=product.text, product_class=kind
    )
    row.categories.add(get_model("catalogue", "Category").objects.get(name=product.category))
    row.images.create(original=picture_name(number), display_order=0)
    row.stockrecords.create(
        partner=get_model("partner", "Partner").objects.get(),
        partner_sku=f"W-{number + 1:04d}",
        price=product.price,
        num_in_stock=product.in_stock + sold,
    )
    return row


def write_reviews(reviews: tuple[Review, ...], people: People, products: list[Any], move_to: MoveTo) -> None:
    for review in reviews:
        move_to(review.written)
        get_model("reviews", "ProductReview").objects.create(
            product=products[review.product],
            user=people.customers[review.customer],
            score=review.score,
            title=review.title,
            body=review.body,
        )


def write_wish_lists(lists: tuple[WishList, ...], people: People, products: list[Any], move_to: MoveTo) -> None:
    for wishes in lists:
        move_to(wishes.made)
        row = get_model("wishlists", "WishList").objects.create(owner=people.customers[wishes.owner], name=wishes.name)
        row.key = wishes.key
        row.save()
        for number in wishes.products:
            row.add(products[number])
