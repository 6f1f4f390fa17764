"""Our own tables: the site's clock, and the forum's votes."""

from django.conf import settings
from django.db import models


class Clock(models.Model):
    """One row, so that a copy of the database file resets the time too."""

    now = models.DateTimeField()


class Vote(models.Model):
    """What one member thinks of one post."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="votes")
    post = models.ForeignKey("forum_conversation.Post", on_delete=models.CASCADE, related_name="votes")
    value = models.SmallIntegerField(choices=[(1, "up"), (-1, "down")])

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "post"], name="one_vote_a_member")]
