"""The forum: who may do what, topics, posts and votes."""

from typing import Any

from django.contrib.auth.models import AnonymousUser
from machina.core.db.models import get_model

from webassay.sites.miniweb.models import Vote
from webassay.sites.miniweb.seed.plan.forum import Forum, Post, Topic
from webassay.sites.miniweb.seed.write.people import MoveTo, People

READING = ("can_see_forum", "can_read_forum", "can_download_file")
WRITING = ("can_start_new_topics", "can_reply_to_topics")
MEMBERS = (*READING, *WRITING, "can_edit_own_posts", "can_post_without_approval", "can_vote_in_polls")


def write_forum(forums: tuple[Forum, ...], topics: tuple[Topic, ...], people: People, move_to: MoveTo) -> None:
    rows: dict[str, Any] = {}
    for forum in forums:
        rows[forum.name] = write_place(forum, rows.get(forum.parent))
    write_permissions(forums, rows, people)
    write_profiles(people)
    conversations: dict[int, Any] = {}
    for post, number in events(topics):
        move_to(post.written)
        if number not in conversations:
            conversations[number] = start(topics[number], rows[topics[number].forum], people)
        write_post(post, topics[number].subject, conversations[number], people)
    for number, topic in enumerate(topics):
        get_model("forum_conversation", "Topic").objects.filter(pk=conversations[number].pk).update(
            views_count=topic.views, status=int(topic.locked)
        )


def events(topics: tuple[Topic, ...]) -> list[tuple[Post, int]]:
    """Posts of all topics in the order of time."""
    posts = [(post, number) for number, topic in enumerate(topics) for post in topic.posts]
    return sorted(posts, key=lambda event: event[0].written)


def write_place(forum: Forum, parent: Any) -> Any:
    model = get_model("forum", "Forum")
    if parent is not None:
        parent.refresh_from_db()
    kind = model.FORUM_CAT if parent is None else model.FORUM_POST
    return model.objects.create(name=forum.name, description=forum.description, parent=parent, type=kind)


def write_permissions(forums: tuple[Forum, ...], rows: dict[str, Any], people: People) -> None:
    """Visitors read; members write, but not where only staff do."""
    from machina.apps.forum_permission.shortcuts import ALL_AUTHENTICATED_USERS, assign_perm

    for codename in READING:
        assign_perm(codename, AnonymousUser())
    for codename in MEMBERS:
        assign_perm(codename, ALL_AUTHENTICATED_USERS)
    for forum in forums:
        for codename in WRITING if forum.staff_only else ():
            assign_perm(codename, ALL_AUTHENTICATED_USERS, rows[forum.name], has_perm=False)
            assign_perm(codename, people.colleagues, rows[forum.name])


def write_profiles(people: People) -> None:
    for user in (*people.staff, *people.customers):
        get_model("forum_member", "ForumProfile").objects.create(user=user)


def start(topic: Topic, forum: Any, people: People) -> Any:
    model = get_model("forum_conversation", "Topic")
    return model.objects.create(
        forum=forum,
        subject=topic.subject,
        poster=people[topic.posts[0].author],
        type=model.TOPIC_ANNOUNCE if topic.announcement else model.TOPIC_POST,
        status=model.TOPIC_UNLOCKED,
    )


def write_post(post: Post, subject: str, topic: Any, people: People) -> None:
    row = get_model("forum_conversation", "Post").objects.create(
        topic=topic,
        poster=people[post.author],
        subject=subject if topic.posts_count == 0 else f"Re: {subject}",
        content=post.text,
    )
    Vote.objects.bulk_create(
        Vote(user=people.customers[customer], post=row, value=value) for customer, value in post.votes
    )
