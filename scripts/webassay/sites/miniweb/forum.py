"""What the forum has beyond django-machina: votes, and a search over the database itself."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseBadRequest, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.views.decorators.http import require_POST
from django.views.generic import ListView
from machina.apps.forum.models import Forum
from machina.apps.forum_conversation.models import Post

from webassay.sites.miniweb.models import Vote

VALUES = {"1": 1, "-1": -1}


@require_POST
@login_required
def vote(request: HttpRequest, post_id: int) -> HttpResponse:
    """A member's latest opinion counts; the same vote twice is one vote."""
    post = get_object_or_404(Post.approved_objects.select_related("topic__forum"), pk=post_id)
    if not request.forum_permission_handler.can_read_forum(post.topic.forum, request.user):
        raise PermissionDenied
    value = VALUES.get(request.POST.get("value", ""))
    if value is None:
        return HttpResponseBadRequest("a vote is 1 or -1")
    Vote.objects.update_or_create(user=request.user, post=post, defaults={"value": value})
    return HttpResponseRedirect(address(post))


def address(post: Post) -> str:
    topic = post.topic
    names = {"forum_slug": topic.forum.slug, "forum_pk": topic.forum.pk, "slug": topic.slug, "pk": topic.pk}
    return f"{reverse('forum_conversation:topic', kwargs=names)}?post={post.pk}#{post.pk}"


class PostSearch(ListView):
    """Posts that hold all the words, newest first."""

    template_name = "miniweb/forum_search.html"
    paginate_by = 20

    def get_queryset(self) -> QuerySet[Post]:
        words = self.request.GET.get("q", "").split()
        if not words:
            return Post.objects.none()
        readable = self.request.forum_permission_handler.forum_list_filter(Forum.objects.all(), self.request.user)
        every = Q(topic__forum__in=readable)
        for word in words:
            every &= Q(subject__icontains=word) | Q(content__icontains=word) | Q(topic__subject__icontains=word)
        posts = Post.approved_objects.select_related("topic__forum", "poster")
        return posts.filter(every).order_by("-created", "-pk")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return {**super().get_context_data(**kwargs), "query": self.request.GET.get("q", "")}
