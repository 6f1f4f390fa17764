"""Tasks of the forum: a customer reads, votes and writes, and finds out where she may not."""

import sqlite3
from collections import Counter
from collections.abc import Iterator
from datetime import datetime

from webassay.benchmarks.miniweb.forms import (
    CUSTOMER,
    DURATION,
    MANY,
    TEXT,
    URL,
    Rows,
    Template,
    absent,
    appended,
    as_duration,
    ask,
    distinct,
    done,
    ends_at,
    found,
    insert,
    local,
    only,
    posted,
    refused,
    says,
    says_not_applicable,
    seen,
    shows,
    spread,
    task,
    update,
    watched,
)
from webassay.core.task import Probe, Task

FORUM = ("forum",)
PAGE = 12
"""Topics of at most so many posts stand on one page."""

BEST = Template(
    "forum-best-post", 'Who wrote the post with the highest score in the topic "{topic}"?', "retrieve", FORUM, "medium"
)
FIRST_REPLY = Template(
    "forum-first-reply",
    'How much time passed between the opening of the topic "{topic}" and the first reply to it?',
    "retrieve",
    FORUM,
    "hard",
)
ADDRESS = Template(
    "forum-topic-url",
    'Get the URL of the topic that {name} opened in the forum "{forum}".',
    "retrieve",
    FORUM,
    "medium",
)
OPEN = Template("forum-topic-page", 'Open the topic "{topic}".', "navigate", FORUM, "easy")
VOTE = Template(
    "forum-vote",
    'Give the post that {name} wrote in the topic "{topic}" {a_vote}.',
    "mutate",
    FORUM,
    "medium",
)
TOPIC = Template(
    "forum-new-topic",
    'Open a new topic in the forum "{forum}" with the subject "{subject}" and the message "{message}"',
    "mutate",
    FORUM,
    "medium",
)
REPLY = Template("forum-reply", 'Reply to the topic "{topic}" with the message "{message}"', "mutate", FORUM, "medium")
ANNOUNCE = Template(
    "forum-announce", 'Reply to the topic "{topic}" with the message "{message}"', "mutate", FORUM, "hard"
)

VOTES = {"an upvote": 1, "a downvote": -1}
TOPICS = (
    (
        "Garden",
        "Slugs and the Hazel raised bed",
        "Does a copper band around the bed keep slugs out? I lost all my beans.",
    ),
    (
        "Kitchen",
        "Sourdough in a cold kitchen",
        "My kitchen has 14 degrees in the morning. Where do you let the dough rise?",
    ),
)
REPLIES = (
    "Thank you, that was just what I wanted to know.",
    "I tried it last weekend and it worked for me as well.",
)

TOPIC_ROWS = (
    "SELECT t.id, t.subject, f.slug || '-' || f.id || '/topic/' || t.slug || '-' || t.id AS address, f.name,"
    " u.first_name || ' ' || u.last_name, u.email, t.posts_count FROM forum_conversation_topic t"
    " JOIN forum_forum f ON f.id = t.forum_id JOIN auth_user u ON u.id = t.poster_id"
    " WHERE t.approved AND t.status = 0"
)
POST_ROWS = (
    "SELECT p.id, u.first_name || ' ' || u.last_name, p.created,"
    " (SELECT coalesce(sum(v.value), 0) FROM miniweb_vote v WHERE v.post_id = p.id), u.email"
    " FROM forum_conversation_post p JOIN auth_user u ON u.id = p.poster_id WHERE p.topic_id = ? ORDER BY p.created"
)
MY_VOTES = Probe(
    "SELECT v.post_id, v.value FROM miniweb_vote v JOIN auth_user u ON u.id = v.user_id WHERE u.email = ?"
    " ORDER BY v.id",
    (CUSTOMER,),
)
MY_POSTS = Probe(
    "SELECT f.name, t.subject, replace(p.content, char(13), '') FROM forum_conversation_post p"
    " JOIN forum_conversation_topic t ON t.id = p.topic_id JOIN forum_forum f ON f.id = t.forum_id"
    " JOIN auth_user u ON u.id = p.poster_id WHERE u.email = ? ORDER BY p.id",
    (CUSTOMER,),
)
WRITTEN = (
    insert("forum_conversation_post"),
    update(
        "forum_forum",
        *("direct_posts_count", "direct_topics_count", "last_post_id", "last_post_on", "updated"),
        rows=3,
    ),
    update("forum_member_forumprofile", "posts_count"),
)
"""What a post writes besides its topic."""


def topic_page(address: str) -> str:
    return f"__FORUM__/forum/forum/{address}/"


def short_topics(database: sqlite3.Connection, order: str = "t.id") -> Rows:
    """Where customers talk and all posts stand on one page."""
    return ask(database, f"{TOPIC_ROWS} AND t.posts_count <= ? AND f.name <> 'Announcements' ORDER BY {order}", PAGE)


def best_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """One post is ahead of all others, and it is not the first, which a hasty reader would take."""
    clear = []
    for key, topic, address, *_ in short_topics(database):
        posts = sorted(ask(database, POST_ROWS, key), key=lambda post: -post[3])
        if posts[0][3] > posts[1][3] and posts[0][0] != min(post[0] for post in posts):
            clear.append([topic, address, posts[0][1]])
    for number, (topic, address, name) in enumerate(spread(distinct(clear, 2), MANY), 1):
        answer = found(BEST, [name], TEXT)
        yield task(BEST, number, {"topic": topic}, answer, seen(topic_page(address)), original=says(name))


def first_reply_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """As the page shows it, to the minute."""
    spans = []
    for key, topic, address, *_ in short_topics(database, "t.subject"):
        opened, replied, *_ = (minute(post[2]) for post in ask(database, POST_ROWS, key))
        if opened.utcoffset() == replied.utcoffset():
            spans.append([topic, address, as_duration(replied - opened)])
    for number, (topic, address, span) in enumerate(spread(distinct(spans, 2), 2), 1):
        answer = found(FIRST_REPLY, [span], DURATION)
        yield task(FIRST_REPLY, number, {"topic": topic}, answer, seen(topic_page(address)), original=says(span))


def minute(moment: str) -> datetime:
    return local(moment).replace(second=0, microsecond=0)


def address_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Of people who opened one topic there."""
    topics = ask(database, f"{TOPIC_ROWS} AND u.email <> ? ORDER BY t.id", CUSTOMER)
    openings = Counter((row[3], row[4]) for row in topics)
    single = [row for row in topics if openings[row[3], row[4]] == 1 and row[3] != "Announcements"]
    for number, (_, _, address, forum, name, *_) in enumerate(spread(single, MANY), 1):
        answer = found(ADDRESS, [topic_page(address)], URL)
        original = says(f"/forum/forum/{address}")
        yield task(ADDRESS, number, {"name": name, "forum": forum}, answer, original=original)


def open_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, (_, topic, address, *_) in enumerate(spread(short_topics(database, "t.slug"), MANY), 1):
        url = topic_page(address)
        yield task(OPEN, number, {"topic": topic}, done(OPEN), seen(url), original=ends_at(url))


def vote_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Of posts that are the only ones of their authors in the topic, and that the customer has no opinion on yet."""
    mine = {row[0] for row in ask(database, MY_VOTES.sql or "", CUSTOMER)}
    offered: Rows = []
    for key, topic, address, *_ in short_topics(database):
        posts = [post for post in distinct(ask(database, POST_ROWS, key), 1) if post[0] not in mine]
        offered += [[topic, address, *post] for post in posts[1:2] if post[4] != CUSTOMER]
    chosen = zip(spread(offered, len(VOTES)), VOTES.items(), strict=True)
    for number, ((topic, address, post, name, _, score, _), (words, value)) in enumerate(chosen, 1):
        yield task(
            VOTE,
            number,
            {"name": name, "topic": topic, "a_vote": words},
            done(VOTE),
            posted(f"__FORUM__/forum/vote/{post}/", value=str(value)),
            states=[watched(database, "votes", MY_VOTES, appended(post, value))],
            allowed=[insert("miniweb_vote")],
            original=shows((topic_page(address), f"#score_{post}", [str(score + value)])),
        )


def topic_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    for number, (forum, subject, message) in enumerate(TOPICS, 1):
        key, slug = only(ask(database, "SELECT id, slug FROM forum_forum WHERE name = ?", forum), f"forum {forum!r}")
        absent(ask(database, "SELECT 1 FROM forum_conversation_topic WHERE subject = ?", subject), f"topic {subject!r}")
        page = f"__FORUM__/forum/forum/{slug}-{key}/"
        yield task(
            TOPIC,
            number,
            {"forum": forum, "subject": subject, "message": message},
            done(TOPIC),
            posted(f"{page}topic/create/", subject=subject),
            states=[watched(database, "posts", MY_POSTS, appended(forum, subject, message))],
            allowed=[insert("forum_conversation_topic"), update_topic(), *WRITTEN],
            original=shows((page, "", [subject])),
        )


def update_topic() -> dict[str, object]:
    return update(
        "forum_conversation_topic",
        *("posts_count", "last_post_id", "last_post_on", "first_post_id", "updated"),
    )


def reply_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    topics = [row for row in short_topics(database, "t.subject DESC") if row[5] != CUSTOMER]
    chosen = zip(spread(topics, len(REPLIES)), REPLIES, strict=True)
    for number, ((_, topic, address, forum, *_), message) in enumerate(chosen, 1):
        yield task(
            REPLY,
            number,
            {"topic": topic, "message": message},
            done(REPLY),
            posted(f"{topic_page(address)}post/create/"),
            states=[watched(database, "posts", MY_POSTS, appended(forum, topic, message))],
            allowed=[update_topic(), *WRITTEN],
            original=shows((topic_page(address), "", [message])),
        )


def announce_tasks(database: sqlite3.Connection) -> Iterator[Task]:
    """Customers read the announcements; only staff write there."""
    topics = ask(database, f"{TOPIC_ROWS} AND f.name = 'Announcements' ORDER BY t.id")
    chosen = zip(spread(topics, len(REPLIES)), REPLIES, strict=True)
    for number, ((_, topic, address, *_), message) in enumerate(chosen, 1):
        values, answer = {"topic": topic, "message": message}, refused(ANNOUNCE, "PERMISSION_DENIED_ERROR")
        original = says_not_applicable("only staff may write in Announcements")
        yield task(ANNOUNCE, number, values, answer, seen(topic_page(address)), original=original)


TASKS = (
    best_tasks,
    first_reply_tasks,
    address_tasks,
    open_tasks,
    vote_tasks,
    topic_tasks,
    reply_tasks,
    announce_tasks,
)
