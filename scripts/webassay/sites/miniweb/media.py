"""Pictures: served as they are, and shared by all running copies of the site."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.files.storage import FileSystemStorage
from oscar.core.thumbnails import AbstractThumbnailer


@dataclass(frozen=True)
class Picture:
    url: str


class OriginalImage(AbstractThumbnailer):
    """No thumbnail files: the style sheet sizes the picture, and a GET writes nothing."""

    def generate_thumbnail(self, source: Any, **options: Any) -> Picture:
        return Picture(f"{settings.MEDIA_URL}{source.name}")

    def delete_thumbnails(self, source: Any) -> None:
        pass


class SharedMedia(FileSystemStorage):
    """Read-only: an upload is named but not kept, because a reset replaces the database and nothing else."""

    def _save(self, name: str, content: Any) -> str:
        return name

    def delete(self, name: str) -> None:
        pass
