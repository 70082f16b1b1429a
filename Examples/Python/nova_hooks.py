"""What Schemathesis needs to judge a server of the NovaSocial contract by the document of `nova openapi`.

Copy this file beside your tests; it needs nothing but Schemathesis:

    nova openapi --server http://localhost:8080 --out openapi.json
    SCHEMATHESIS_HOOKS=nova_hooks schemathesis run openapi.json --url http://localhost:8080

Set NOVA_REQUIRES_TOKENS=1 for a server that requires access tokens (`nova serve --require-tokens`), and pass one with
`--header "Authorization: Bearer ..."`.

The document describes what clients should send. Servers accept more, and a schema cannot express every rule; both are
listed here, so that all checks stay on.
"""
import itertools
import os
import re
import uuid

import schemathesis
from jsonschema_rs import Draft202012Validator

try:
    # Counts characters as people do. Without it, texts beyond ASCII are judged less strictly.
    import regex
except ImportError:
    regex = None

REQUIRES_TOKENS = os.environ.get("NOVA_REQUIRES_TOKENS") == "1"
KEYS = itertools.count()

# Rules that a schema cannot express: the operation, and the words of the refusal.
BEYOND_SCHEMAS = [
    ("announcements.ListAnnouncements", "lat and lng go together"),
    # A URL must be one of http or https.
    ("capture.CreateSomething", "must be an absolute http or https URL"),
    # Two fields with the same value.
    (r"graph.Create(Follow|Mute|Block)", "users cannot"),
    # The size of stored data is a limit of the mock backend.
    ("media.StartUpload", "the mock backend takes"),
    # A limit in bytes; the document counts characters.
    (".*", r"must have at most [\d,]+ bytes"),
    # A cursor must come from the server.
    ("feed.GetFeed", "cursor is not one of this feed"),
    # Progress beyond the file, and bytes or files that are not there yet.
    ("media.UpdateUploadProgress", "uploaded_size must be from 0"),
    ("media.(CompleteUpload|CreateVideo|CreateReel)", r"are stored|not completed|not the creator's|not the digest"),
    # A part has at least one byte; the length of a binary body is not in a schema.
    ("media.UploadBytes", "Content-Range|Content-Digest|a part needs|go past|there are no bytes"),
    # Characters as people count them can be fewer than code points, of which minLength is the least number.
    ("auth.Register|social.*Comment|content.*Post|capture.*", r"must have .* characters, but has \d+"),
]


@schemathesis.hook
def before_call(context, case, kwargs):
    """A new key for each call with a valid one: with the same one, all calls but the first get 422."""
    # Nothing happens on the stream, and Schemathesis reads until the time limit of a request, which is 10 s.
    if case.operation.path.endswith("/events/stream"):
        kwargs["timeout"] = 2
    headers = case.headers or {}
    if 1 <= len(headers.get("Idempotency-Key") or "") <= 255:
        headers["Idempotency-Key"] = str(uuid.UUID(int=next(KEYS)))
    if not REQUIRES_TOKENS:
        headers.pop("Authorization", None)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure is one: False for what the contract allows."""
    kind = type(failure).__name__
    operation = case.operation.definition.raw.get("operationId", "")
    if kind == "IgnoredAuth":
        # Without --require-tokens, the mock backend accepts calls without a token on purpose.
        return REQUIRES_TOKENS
    if kind == "AcceptedNegativeData":
        return not (is_without_token(failure) or is_readable(case))
    if kind == "MissingHeaderNotRejected":
        # The token of the command line is sent with some requests that should lack it.
        return REQUIRES_TOKENS and "Authorization" not in response.request.headers
    if kind == "JsonSchemaError" and failure.title == "SSE event violates schema":
        # Schemathesis takes the schema of a stream for that of each event; here it is that of the body, which is text.
        return False
    if kind == "RejectedPositiveData":
        words = response.text
        return not any(re.fullmatch(name, operation) and re.search(text, words) for name, text in BEYOND_SCHEMAS)
    return True


def is_without_token(failure):
    """Without --require-tokens, the mock backend needs none."""
    return not REQUIRES_TOKENS and "Authorization" in failure.message


def is_readable(case):
    """Whether the contract lets servers read the request: see "Schemas of requests" in the document's description."""
    definition = case.operation.definition.raw
    components = case.operation.schema.raw_schema["components"]
    content = definition.get("requestBody", {}).get("content", {})
    body = content.get("application/json", {}).get("schema")
    sent = case.body if isinstance(case.body, (dict, list, str, int)) else {}
    if body is not None and not is_valid(sent, body, components):
        return False
    for parameter in definition.get("parameters", []):
        if parameter.get("in") == "query" and parameter["name"] in (case.query or {}):
            if not is_valid(case.query[parameter["name"]], parameter["schema"], components):
                return False
    return True


def is_valid(value, schema, components):
    validator = Draft202012Validator({**schema, "components": components})
    return all(is_short(error) for error in validator.iter_errors(read(value, schema, components)))


def is_short(error):
    """Whether a text is too long only by code points: the contract counts characters as people do."""
    if error.kind.name != "maxLength":
        return False
    text = error.instance
    return (len(regex.findall(r"\X", text)) if regex else sum(map(str.isascii, text))) <= error.kind.limit


def read(value, schema, components):
    """The value as the contract's readers take it."""
    if "$ref" in schema:
        schema = components["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    kind = schema.get("type")
    if kind == "object" and isinstance(value, dict) and "properties" in schema:
        properties = schema["properties"]
        names = {camel(name): name for name in properties} | {snake(name): name for name in properties}
        result = {}
        for name, member in value.items():
            name = names.get(name, name)
            member = read(member, properties.get(name, {}), components)
            # null is the same as absent, and so is the default of a field without presence.
            if member is None or name in properties and member in ("", 0, False) and name not in schema.get("required", []):
                continue
            result[name] = member
        return result
    if kind == "array" and isinstance(value, list):
        return [read(element, schema.get("items", {}), components) for element in value]
    if kind in ("integer", "number") and isinstance(value, (str, float)):
        try:
            number = float(value)
            return int(number) if number.is_integer() else number
        except (ValueError, OverflowError):
            return value
    return value


def camel(name):
    head, *tail = name.split("_")
    return head + "".join(part.title() for part in tail)


def snake(name):
    return re.sub(r"[A-Z]", lambda match: "_" + match.group().lower(), name)
