"""The forum, as a member uses it."""

from typing import Any

from webassay.systems.oracle.hands import (
    Hands,
    Response,
    arrived,
    cannot,
    confirmed,
    found,
    moment,
    quoted,
)

POSTS = "article.post"


def find_topic(hands: Hands, topic: str) -> bool:
    """Through the search: the newest post of a topic leads there as well as the first."""
    hands.type("#site_search", topic, "Search for the topic", enter=True)
    link = f"#content_inner h2 a:text-is({quoted(topic)}), #content_inner h2 a:text-is({quoted('Re: ' + topic)})"
    if not hands.sees(link):
        return False
    hands.click(f"{link} >> nth=0", "Open the topic")
    return True


def no_topic(action: str, topic: str) -> Response:
    return cannot(action, "NOT_FOUND_ERROR", f"The search finds no topic {topic!r}")


def best_post(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_topic(hands, values["topic"]):
        return no_topic("retrieve", values["topic"])
    scores = [int(text) for text in hands.texts(f"{POSTS} .score")]
    authors = hands.texts(f"{POSTS} .post-author > a:first-child")
    return found(authors[scores.index(max(scores))])


def first_reply(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_topic(hands, values["topic"]):
        return no_topic("retrieve", values["topic"])
    opened, replied, *_ = (moment(text) for text in hands.texts(f"{POSTS} .post-author > span.text-muted"))
    days, minutes = (replied - opened).days, (replied - opened).seconds // 60
    parts = {"day": days, "hour": minutes // 60, "minute": minutes % 60}
    return found(" ".join(f"{n} {unit}{'' if n == 1 else 's'}" for unit, n in parts.items() if n))


def open_forum(hands: Hands, forum: str) -> None:
    hands.click(f"#content_inner a:text-is({quoted(forum)})", "Open the forum")


def topic_url(hands: Hands, values: dict[str, Any]) -> Response:
    open_forum(hands, values["forum"])
    started = f".topic-created a:text-is({quoted(values['name'])})"
    hands.click(f"td.topic-name:has({started}) a.topic-name-link", "Open the topic that this person started")
    return found(hands.address)


def open_topic(hands: Hands, values: dict[str, Any]) -> Response:
    return arrived() if find_topic(hands, values["topic"]) else no_topic("navigate", values["topic"])


def give_vote(hands: Hands, values: dict[str, Any]) -> Response:
    if not find_topic(hands, values["topic"]):
        return no_topic("mutate", values["topic"])
    post = f"{POSTS}:has(.post-author > a:text-is({quoted(values['name'])}))"
    name = "Upvote" if values["a_vote"] == "an upvote" else "Downvote"
    hands.submit(f"{post} button[title={name}]", f"Give the post {values['a_vote']}")
    if hands.sees(f"{post} button[title={name}][aria-pressed=true]"):
        return confirmed(hands, "", "h1")
    return cannot("mutate", "UNKNOWN_ERROR", "The page does not show my vote")


def write(hands: Hands, message: str) -> None:
    hands.type("#id_content", message, "Enter the message")
    hands.submit("form:has(#id_content) [type=submit].btn-primary", "Send it")


def new_topic(hands: Hands, values: dict[str, Any]) -> Response:
    open_forum(hands, values["forum"])
    hands.click("#content_inner a:has-text('New topic') >> nth=0", "Start a topic")
    hands.type("#id_subject", values["subject"], "Enter the subject")
    write(hands, values["message"])
    return confirmed(hands, values["subject"], "h1")


def reply(hands: Hands, values: dict[str, Any]) -> Response:
    """Where there is no button, the form's address is tried before giving up."""
    if not find_topic(hands, values["topic"]):
        return no_topic("mutate", values["topic"])
    if not hands.sees("a:has-text('Post reply')"):
        path = hands.path + "post/create/"
        hands.go("forum", path, "There is no button to reply; perhaps the form is where it is in other topics")
        return cannot("mutate", "PERMISSION_DENIED_ERROR", f"No way to reply; the form says: {hands.text('h1')}")
    hands.click("a:has-text('Post reply') >> nth=0", "Reply")
    write(hands, values["message"])
    return confirmed(hands, values["message"], f"{POSTS} .post-content")


SOLUTIONS = {
    "forum-best-post": best_post,
    "forum-first-reply": first_reply,
    "forum-topic-url": topic_url,
    "forum-topic-page": open_topic,
    "forum-vote": give_vote,
    "forum-new-topic": new_topic,
    "forum-reply": reply,
    "forum-announce": reply,
}
