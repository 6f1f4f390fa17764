"""The site's clock: one row, so that a copy of the database file resets the time too."""

from django.db import models


class Clock(models.Model):
    now = models.DateTimeField()
