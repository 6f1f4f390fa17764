"""Django's settings as a value: which database and media folder, and nothing from the environment."""

from pathlib import Path
from typing import Any

import machina
import oscar
from oscar import defaults

from webassay.sites.miniweb import HOSTS

HERE = Path(__file__).parent
UNUSED = ("django.contrib.admin", "django.contrib.staticfiles")
ANALYTICS = "oscar.apps.analytics.apps.AnalyticsConfig"
FORUM_APPS = (
    "machina",
    "machina.apps.forum",
    "machina.apps.forum_conversation",
    "machina.apps.forum_conversation.forum_attachments",
    "machina.apps.forum_conversation.forum_polls",
    "machina.apps.forum_feeds",
    "machina.apps.forum_moderation",
    "machina.apps.forum_search",
    "machina.apps.forum_tracking",
    "machina.apps.forum_member",
    "machina.apps.forum_permission",
)
WIKI_APPS = (
    "django.contrib.humanize",
    "mptt",
    "sekizai",
    "sorl.thumbnail",
    "wiki.apps.WikiConfig",
    "wiki.plugins.macros.apps.MacrosConfig",
    "wiki.plugins.links.apps.LinksConfig",
)
DESK_APPS = ("rest_framework", "helpdesk.apps.HelpdeskConfig")

ORDER_STATUSES = {
    "Pending": ("Being processed", "Cancelled"),
    "Being processed": ("Shipped", "Cancelled"),
    "Shipped": ("Returned",),
    "Returned": (),
    "Cancelled": (),
}

CONTEXT_PROCESSORS = (
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
    "oscar.apps.search.context_processors.search_form",
    "oscar.apps.checkout.context_processors.checkout",
    "oscar.apps.communication.notifications.context_processors.notifications",
    "oscar.core.context_processors.metadata",
    "machina.core.context_processors.metadata",
    "sekizai.context_processors.sekizai",
    "webassay.sites.miniweb.views.hosts",
)

MIDDLEWARE = (
    "webassay.sites.miniweb.middleware.SiteClock",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "webassay.sites.miniweb.middleware.SiteUser",
    "webassay.sites.miniweb.middleware.HostPaths",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "webassay.sites.miniweb.middleware.LateBasket",
    "webassay.sites.miniweb.middleware.OneVisitor",
    "webassay.sites.miniweb.middleware.LookOnly",
)


class NoMigrations:
    """Tables straight from the models: 4 s instead of 50, and the database is always built new."""

    def __contains__(self, app: str) -> bool:
        return True

    def __getitem__(self, app: str) -> None:
        return None


def options(database: Path, media: Path) -> dict[str, Any]:
    """Everything `django.conf.settings.configure` needs."""
    return (
        oscar_options()
        | forum_options()
        | wiki_options()
        | desk_options()
        | {
            "DATABASES": {"default": sqlite(database)},
            "MIGRATION_MODULES": NoMigrations(),
            "DEFAULT_AUTO_FIELD": "django.db.models.AutoField",
            "INSTALLED_APPS": installed_apps(),
            "MIDDLEWARE": list(MIDDLEWARE),
            "TEMPLATES": [templates()],
            "ROOT_URLCONF": "webassay.sites.miniweb.urls",
            "ALLOWED_HOSTS": list(HOSTS),
            "SECRET_KEY": "miniweb is a test site and keeps no secrets",
            "SITE_ID": 1,
            "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"],
            "AUTHENTICATION_BACKENDS": [
                "oscar.apps.customer.auth_backends.EmailBackend",
                "django.contrib.auth.backends.ModelBackend",
            ],
            "LOGIN_URL": "/accounts/login/",
            "LOGIN_REDIRECT_URL": "/",
            # Another process may replace the database file between two requests, so nothing may outlive a request.
            "CACHES": {"default": {"BACKEND": "django.core.cache.backends.dummy.DummyCache"}},
            "SESSION_ENGINE": "django.contrib.sessions.backends.db",
            "EMAIL_BACKEND": "django.core.mail.backends.dummy.EmailBackend",
            "LANGUAGE_CODE": "en-gb",  # with en-us Oscar's basket is a cart
            "LANGUAGES": [("en-gb", "English")],
            "TIME_ZONE": "Europe/London",
            "USE_TZ": True,
            "STATIC_URL": "/static/",
            "MEDIA_URL": "/media/",
            "MEDIA_ROOT": str(media),
            "STORAGES": {"default": {"BACKEND": "webassay.sites.miniweb.media.SharedMedia"}},
            "LOGGING": logging(),
        }
    )


def sqlite(database: Path) -> dict[str, Any]:
    """A connection per request, no journal file; probes of other processes are waited for, never an error."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(database),
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "timeout": 30,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;",
        },
    }


def installed_apps() -> list[str]:
    """Ours first, so that its templates win; analytics without the receivers that write on GET."""
    replaced = {ANALYTICS: "webassay.sites.miniweb.apps.QuietAnalytics"}
    return [
        "webassay.sites.miniweb.apps.Miniweb",
        *(replaced.get(app, app) for app in oscar.INSTALLED_APPS if app not in UNUSED),
        "django.forms",
        *FORUM_APPS,
        *(app for app in WIKI_APPS if app not in oscar.INSTALLED_APPS),
        *DESK_APPS,
    ]


def templates() -> dict[str, Any]:
    return {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [str(HERE / "templates"), machina.MACHINA_MAIN_TEMPLATE_DIR],
        "APP_DIRS": True,
        "OPTIONS": {"context_processors": list(CONTEXT_PROCESSORS)},
    }


def oscar_options() -> dict[str, Any]:
    """Oscar's defaults and what a shop has to say for itself."""
    own: dict[str, Any] = {
        "OSCAR_SHOP_NAME": "Fernhill & Co.",
        "OSCAR_SHOP_TAGLINE": "Good things for outdoors and home",
        "OSCAR_HOMEPAGE": "/",
        "OSCAR_FROM_EMAIL": "hello@example.com",
        "OSCAR_ALLOW_ANON_REVIEWS": False,
        "OSCAR_ORDER_STATUS_PIPELINE": ORDER_STATUSES,
        "OSCAR_LINE_STATUS_PIPELINE": ORDER_STATUSES,
        "OSCAR_ORDER_STATUS_CASCADE": {status: status for status in ORDER_STATUSES},
        "OSCAR_INITIAL_ORDER_STATUS": "Pending",
        "OSCAR_INITIAL_LINE_STATUS": "Pending",
        "OSCAR_THUMBNAILER": "webassay.sites.miniweb.media.OriginalImage",
        "OSCAR_MISSING_IMAGE_URL": "image_not_found.svg",
        "OSCAR_DELETE_IMAGE_FILES": False,
        "HAYSTACK_CONNECTIONS": {"default": {"ENGINE": "webassay.sites.miniweb.search.OrmEngine"}},
        "HAYSTACK_SIGNAL_PROCESSOR": "haystack.signals.BaseSignalProcessor",
    }
    return {name: value for name, value in vars(defaults).items() if name.isupper()} | own


def forum_options() -> dict[str, Any]:
    """A plain text area: machina's editor hides it and fetches a font from elsewhere."""
    return {
        "MACHINA_FORUM_NAME": "Fernhill Community",
        "MACHINA_MARKUP_WIDGET": None,
        "MACHINA_USER_DISPLAY_NAME_METHOD": "get_full_name",
        "MACHINA_PROFILE_AVATARS_ENABLED": False,
        "MACHINA_ATTACHMENT_CACHE_NAME": "default",
    }


def wiki_options() -> dict[str, Any]:
    return {
        "WIKI_ACCOUNT_HANDLING": False,
        "WIKI_REVISIONS_PER_MINUTES": 1000,  # time stands still between two edits
        "WIKI_REVISIONS_PER_HOUR": 1000,
    }


def desk_options() -> dict[str, Any]:
    """Customers answer and close their tickets; a ticket is text, and changes by its own form only."""
    return {
        "HELPDESK_TEAMS_MODE_ENABLED": False,
        "HELPDESK_ALLOW_NON_STAFF_TICKET_UPDATE": True,
        "HELPDESK_STAFF_ONLY_TICKET_OWNERS": True,
        "HELPDESK_CREATE_TICKET_HIDE_ASSIGNED_TO": True,
        "HELPDESK_ENABLE_ATTACHMENTS": False,
        "HELPDESK_ENABLE_TIME_SPENT_ON_TICKET": False,
        "HELPDESK_ENABLE_DEPENDENCIES_ON_TICKET": False,
        "HELPDESK_ENABLE_BACKLINKS": False,
        "HELPDESK_KANBAN_ENABLED": False,
    }


def logging() -> dict[str, Any]:
    """Tracebacks of failed requests go to stderr; a page that does not exist is no news."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "handlers": {"stderr": {"class": "logging.StreamHandler", "level": "ERROR"}},
        "root": {"handlers": ["stderr"], "level": "ERROR"},
    }
