"""What a schema can't say of a request, so that it is not taken for a right one that was refused."""

import datetime
import itertools

import schemathesis
from hypothesis import strategies

# What a format means here: a country that there is, a day that is not after tomorrow, and an address that webhooks may have.
schemathesis.openapi.format("iso-3166-1-alpha-2", strategies.sampled_from(["DE", "GB", "SE", "US"]))
schemathesis.openapi.format("iso-3166-1-or-3-alpha-2", strategies.sampled_from(["DE", "SE", "XK", "YU"]))
schemathesis.openapi.format("date", strategies.dates(datetime.date(1900, 1, 1), datetime.date(2024, 12, 31)).map(str))
# No time is after tomorrow, either.
TIMES = strategies.datetimes(datetime.datetime(1900, 1, 1), datetime.datetime(2024, 12, 31), timezones=strategies.just(datetime.timezone.utc))
schemathesis.openapi.format("date-time", TIMES.map(lambda time: time.isoformat().replace("+00:00", "Z")))
schemathesis.openapi.format("uri", strategies.sampled_from(["https://desk.example.com/hooks", "https://example.org:8443/?desk=1"]))

NUMBERS = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = case.headers
    # A key stands for one request; the same one with another request is refused. So is the id of a request in bulk.
    if "idempotency-key" in headers and is_key(headers["idempotency-key"]):
        headers["idempotency-key"] = f"contract-{next(NUMBERS)}"
    if "x-request-id" in headers and is_positive(case):
        headers["x-request-id"] = f"contract-{next(NUMBERS)}"
    if case.path == "/events" and str(case.query.get("wait")).isdecimal() and int(case.query["wait"]) <= 30:
        # Nothing happens meanwhile: a wait would only take the time of other requests.
        case.query["wait"] = min(int(case.query["wait"]), 1)
    # An empty file is none.
    if case.path == "/lists/uploads" and is_positive(case) and case.body in (b"", ""):
        case.body = b"id,schema,name"
    # There are no requests for data that an id could be that of.
    if is_positive(case):
        headers.pop("service-rfd-id", None)
        put_in_order(case.query)
        body = told_of_something(case, within_bounds(case.body))
        # A form with a file, set anew, would be taken for a wrong one.
        if body != case.body:
            case.body = body


def is_positive(case):
    return case.meta is not None and case.meta.generation.mode.is_positive


def is_key(text):
    return isinstance(text, str) and 0 < len(text) < 256 and all("!" <= char <= "~" for char in text)


def told_of_something(case, body):
    """A webhook without events can't be active; whether one has any is not to be seen from a later change of it."""
    if case.path.startswith("/api/webhooks") and isinstance(body, dict) and body.get("events") == []:
        return {**body, "events": ["*"]}
    return body


def within_bounds(value):
    """An amount is less than 10^15, exactly; a schema compares doubles, of which that below 10^15 by a billionth is none."""
    if isinstance(value, dict):
        return {name: within_bounds(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [within_bounds(inner) for inner in value]
    return 1 if isinstance(value, (int, float)) and abs(value) >= 10**15 else value


def put_in_order(query):
    """An end is not before its start, a span has a length, no field is sorted by twice, and a comma stands between two items of a list."""
    for start, end in [
        ("startDate", "endDate"),
        ("filter.created_at.from", "filter.created_at.to"),
        ("filter.updated_at.from", "filter.updated_at.to"),
        ("filter.ingested_at.from", "filter.ingested_at.to"),
    ]:
        if query.get(start) and query.get(end):
            query[end] = query[start]
    if "T" in str(query.get("startDate")):
        query["endDate"] = "9999-12-31T23:59:59Z"
    for name in ("sort.by", "sort_by", "sorting"):
        if isinstance(query.get(name), str):
            fields = {field.removeprefix("-"): field for field in query[name].split(",")}
            query[name] = ",".join(fields.values())
    for name, value in query.items():
        if name.endswith("[]") and isinstance(value, list):
            query[name] = [str(item).replace(",", "") or "item" for item in value]
        elif name.endswith("[]") and isinstance(value, str):
            query[name] = ",".join(item for item in value.split(",") if item) or "item"
