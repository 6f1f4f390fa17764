"""The verdicts of webarena-verified 1.2.3, fault for fault: the `release` profile of the judge `verified`.

Numbers that others published with that release can be compared with ours only if the same answer gets the same
verdict, so everything below is kept on purpose, and nothing of it is to be found anywhere else. The profile `paper`
does none of it.

Response (response.py)
- No schema: extra fields, unknown statuses and `error_details` are ignored; the task's two words for action and status
  are compared as loosely as any string ("success." passes). `performed_operation` is the old name of `task_type`.
- Text is JSON or holds a fence (the first ``` wins); prose around bare JSON fails. A status that is no text, data where
  the schema is null, an integer of more than 4,300 digits: error, not failure.
- Data count only where the task is to retrieve; null, "", [] and {} are no data, 0 and false are.
- A site need not be visited. A trace must exist, though, even for a task that looks at none: else it is an error.
  (An empty file will do: it is a Playwright trace without events.)

Values (values.py, quantities.py, places.py, markdown.py, urls.py)
- A list of two or more is a list of alternatives on either side, so the agent may guess; `^…$` is a pattern on either
  side, so the agent may answer `^.*$`. A list of one is an error in a task and a mismatch in an answer.
- Money within 0.1, whatever the amount; the first number in the text; "1,000" is 1; "$-5" is 5. Durations within
  3 minutes or 10 %, "1:30" is 90 seconds. Distances within 10 m or 2 %. Names of places at 80 % similarity.
- True is 1, 2 is true. Missing parts of a date are today's, so such a verdict depends on the day.
- Of alternatives only the first counts for money, coordinates and addresses.
- Arrays without order take the first fit, not the best. Two empty arrays in one answer are "a circular reference":
  error.

Network (trace.py, candidates.py, network.py, bodies.py, paths.py, addresses.py)
- For a task that navigates, only the last navigation of the whole trace is looked at, whatever it was answered; for
  others the last request of the method and path, unless the task wants any. So tasks that expect two pages, or two
  requests to one address, cannot pass.
- A site's address gives way to its placeholder anywhere in a URL, also in the query of a foreign one. Of a repeated
  parameter only the smallest value counts, a missing one is "". Unlike the path of a literal URL, its method is
  compared with its letters' case.
- Bodies: the first value of a form's field, the last of a multipart one, JSON objects only; a list in a body is a list
  of alternatives.
- A broken entry anywhere may be an error: a URL that does not parse, a header without value.
- Sites without address in the configuration get those of the first requests.

Versions. The release pins its libraries, and some have changed their mind since: url-normalize 2.2.1 (normal_url.py)
and jsonpath-ng 1.7.0 (paths.py) are followed here by our own code; for the others, later versions read what matters
here alike.

Bounds. Where the release would not come back, or only after minutes, this does: a pattern that may take exponential
time is matched in a process of its own and given up after 10 seconds, powers of numbers in a distance are not computed
(both: error); texts of more than 1,000 characters are not read as date, duration, distance, month or number word, and
not as coordinates beyond 256 (the value stays as given, as for any other text that cannot be read).
"""
