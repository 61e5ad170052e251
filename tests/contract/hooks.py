"""What a schema can't say of a request, so that it is not taken for a right one that was refused."""

import datetime
import itertools

import schemathesis
from hypothesis import strategies

# What a format means here: a country that there is, and a day that is not after tomorrow.
schemathesis.openapi.format("iso-3166-1-alpha-2", strategies.sampled_from(["DE", "GB", "SE", "US"]))
schemathesis.openapi.format("date", strategies.dates(datetime.date(1900, 1, 1), datetime.date(2024, 12, 31)).map(str))

NUMBERS = itertools.count()


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = case.headers
    # A key stands for one request; the same one with another request is refused.
    if "idempotency-key" in headers and is_key(headers["idempotency-key"]):
        headers["idempotency-key"] = f"contract-{next(NUMBERS)}"
    # There are no requests for data that an id could be that of.
    if case.meta is not None and case.meta.generation.mode.is_positive:
        headers.pop("service-rfd-id", None)
        put_in_order(case.query)


def is_key(text):
    return isinstance(text, str) and 0 < len(text) < 256 and all("!" <= char <= "~" for char in text)


def put_in_order(query):
    """An end is not before its start, no field is sorted by twice, and a comma stands between two items of a list."""
    for start, end in [
        ("startDate", "endDate"),
        ("filter.created_at.from", "filter.created_at.to"),
        ("filter.updated_at.from", "filter.updated_at.to"),
        ("filter.ingested_at.from", "filter.ingested_at.to"),
    ]:
        if query.get(start) and query.get(end):
            query[end] = query[start]
    for name in ("sort.by", "sort_by", "sorting"):
        if isinstance(query.get(name), str):
            fields = {field.removeprefix("-"): field for field in query[name].split(",")}
            query[name] = ",".join(fields.values())
    for name, value in query.items():
        if name.endswith("[]") and isinstance(value, list):
            query[name] = [str(item).replace(",", "") or "item" for item in value]
        elif name.endswith("[]") and isinstance(value, str):
            query[name] = ",".join(item for item in value.split(",") if item) or "item"
