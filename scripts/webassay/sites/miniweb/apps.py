"""The two Django applications of our own."""

from django.apps import AppConfig
from oscar.apps.analytics.apps import AnalyticsConfig


class Miniweb(AppConfig):
    name = "webassay.sites.miniweb"
    label = "miniweb"

    def ready(self) -> None:
        quiet_forum()


def quiet_forum() -> None:
    """Machina counts views and marks topics as read on GET; it connects these once, at the first import."""
    from machina.apps.forum_conversation.receivers import update_topic_counter
    from machina.apps.forum_conversation.signals import topic_viewed
    from machina.apps.forum_tracking.receivers import update_user_trackers

    topic_viewed.disconnect(update_topic_counter)
    topic_viewed.disconnect(update_user_trackers)


class QuietAnalytics(AnalyticsConfig):
    """Counts orders and basket additions, but looking at a page writes nothing."""

    def ready(self) -> None:
        super().ready()
        from oscar.apps.analytics.receivers import receive_product_search, receive_product_view
        from oscar.apps.catalogue.signals import product_viewed
        from oscar.apps.search.signals import user_search

        product_viewed.disconnect(receive_product_view)
        user_search.disconnect(receive_product_search)
