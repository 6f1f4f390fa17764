"""Scores for the posts of a page, in two queries."""

from typing import Any

from django import template
from django.db.models import Sum

from webassay.sites.miniweb.models import Vote

register = template.Library()


@register.simple_tag
def count_votes(posts: Any, user: Any) -> str:
    """Give each post its `score`, and `my_vote`: 1, -1 or 0."""
    posts = list(posts)
    votes = Vote.objects.filter(post__in=[post.pk for post in posts])
    scores = dict(votes.values_list("post").annotate(Sum("value")).order_by())
    mine = dict(votes.filter(user=user).values_list("post", "value")) if user.is_authenticated else {}
    for post in posts:
        post.score, post.my_vote = scores.get(post.pk, 0), mine.get(post.pk, 0)
    return ""
