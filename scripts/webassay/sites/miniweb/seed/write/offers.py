"""Offers that vouchers can carry, and the vouchers that exist."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from oscar.core.loading import get_model

from webassay.sites.miniweb.seed.plan.curated import curated
from webassay.sites.miniweb.seed.write.people import MoveTo

MADE = datetime(2024, 4, 3, 9, 15, tzinfo=UTC)


def write_offers(move_to: MoveTo) -> None:
    move_to(MADE)
    texts = curated("offers")
    everything = get_model("offer", "Range").objects.create(
        name="All products", description="Everything that the shop sells.", includes_all_products=True, is_public=True
    )
    offers = {row["name"]: write_offer(row, everything) for row in texts["offers"]}
    for row in texts["vouchers"]:
        move_to(row["made"])
        voucher = get_model("voucher", "Voucher").objects.create(
            name=row["name"], code=row["code"], usage=row["usage"], start_datetime=row["start"], end_datetime=row["end"]
        )
        voucher.offers.add(offers[row["offer"]])


def write_offer(row: dict[str, Any], everything: Any) -> Any:
    condition = get_model("offer", "Condition").objects.create(
        range=everything, type=row["condition"], value=Decimal(row["from"])
    )
    benefit = get_model("offer", "Benefit").objects.create(
        range=everything, type=row["benefit"], value=Decimal(row["value"])
    )
    return get_model("offer", "ConditionalOffer").objects.create(
        name=row["name"], description=row["description"], offer_type="Voucher", condition=condition, benefit=benefit
    )
