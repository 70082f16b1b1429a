"""What OpenTelemetry requires of spans and metrics: as a program, checks that these rules find what is wrong."""
import base64
import copy
import re
import sys

from google.protobuf.json_format import MessageToDict, ParseDict, ParseError
from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import ExportMetricsServiceRequest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

MESSAGES = {"/v1/traces": ExportTraceServiceRequest, "/v1/metrics": ExportMetricsServiceRequest}
IDS = {"traceId": 32, "spanId": 16, "parentSpanId": 16}
CUMULATIVE = 2


def problems(path, json):
    """What is wrong with a message in JSON, as sentences."""
    found = [f"{name}: {value!r} is no ID of {IDS[name]} digits" for name, value in ids(json)
             if not re.fullmatch(f"[0-9a-f]{{{IDS[name]}}}", str(value)) or set(value) == {"0"}]
    if found:
        return found
    # OTLP's only deviation from the JSON of protobuf: IDs are hexadecimal instead of base64.
    json = with_base64(json)
    try:
        message = ParseDict(json, MESSAGES[path]())
    except ParseError as error:
        return [str(error)]
    # Parsers accept more than writers may write: names in snake_case, numbers where strings are required.
    written = MessageToDict(message, use_integers_for_enums=True)
    if pruned(written) != pruned(json):
        found.append(f"not the JSON of protobuf: sent {pruned(json)}, expected {pruned(written)}")
    return found + (trace_problems(message) if path == "/v1/traces" else metric_problems(message))


def ids(json):
    if isinstance(json, dict):
        for name, value in json.items():
            if name in IDS:
                yield name, value
            else:
                yield from ids(value)
    elif isinstance(json, list):
        for item in json:
            yield from ids(item)


def with_base64(json):
    if isinstance(json, list):
        return [with_base64(item) for item in json]
    if not isinstance(json, dict):
        return json
    return {name: base64.b64encode(bytes.fromhex(value)).decode() if name in IDS else with_base64(value)
            for name, value in json.items()}


def pruned(json):
    """Without members that have their default: they may be written or not."""
    if isinstance(json, dict):
        members = {name: pruned(value) for name, value in json.items()}
        return {name: value for name, value in members.items() if value not in (0, "", "0", [], {}, False, None)}
    return [pruned(item) for item in json] if isinstance(json, list) else json


def resource_problems(resource):
    names = {attribute.key for attribute in resource.attributes}
    required = {"service.name", "telemetry.sdk.name", "telemetry.sdk.language", "telemetry.sdk.version"}
    return [f"the resource has no {name}" for name in sorted(required - names)] + repeated(resource.attributes)


def repeated(attributes):
    names = [attribute.key for attribute in attributes]
    return [f"the attribute {name!r} is empty or repeated" for name in set(names) if not name or names.count(name) > 1]


def trace_problems(message):
    found, spans = [], []
    for part in message.resource_spans:
        found += resource_problems(part.resource)
        for scope in part.scope_spans:
            found += [] if scope.scope.name else ["a scope has no name"]
            spans += scope.spans
    for span in spans:
        for fails, text in [
            (not span.name, "it has no name"), (span.kind == 0, "its kind is unspecified"),
            (not 0 < span.start_time_unix_nano <= span.end_time_unix_nano, "it ends before it starts"),
            (span.parent_span_id == span.span_id, "it is its own parent"),
            (span.status.message and span.status.code != 2, "its status has a message, but is no error"),
            (span.flags & 0x100 == 0, "its flags leave open whether its parent is remote"),
        ]:
            if fails:
                found.append(f"span {span.name!r}: {text}")
        found += [f"span {span.name!r}: {text}" for text in repeated(span.attributes)]
        found += [f"span {span.name!r}: event without a name or time" for event in span.events
                  if not event.name or not event.time_unix_nano]
    if len({span.span_id for span in spans}) != len(spans):
        found.append("two spans have one ID")
    return found


def metric_problems(message):
    found = []
    for part in message.resource_metrics:
        found += resource_problems(part.resource)
        for scope in part.scope_metrics:
            names = [metric.name for metric in scope.metrics]
            found += [f"metric {name!r}: it is there twice" for name in set(names) if names.count(name) > 1]
            for metric in scope.metrics:
                found += [f"metric {metric.name!r}: {text}" for text in of_metric(metric)]
    return found


def of_metric(metric):
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_.\-/]{0,254}", metric.name):
        yield "its name is invalid"
    if not re.fullmatch(r"1|s|By|\{[a-z]+\}", metric.unit):
        yield f"its unit {metric.unit!r} is none of UCUM's"
    kind = metric.WhichOneof("data")
    if kind is None:
        yield "it has no data"
        return
    data = getattr(metric, kind)
    if kind in ("sum", "histogram") and data.aggregation_temporality != CUMULATIVE:
        yield "it is not cumulative"
    if not data.data_points:
        yield "it has no data points"
    labels = [tuple(sorted((a.key, a.value.string_value) for a in point.attributes)) for point in data.data_points]
    if len(set(labels)) != len(labels):
        yield "two data points have the same attributes"
    for point in data.data_points:
        yield from repeated(point.attributes)
        if kind != "gauge" and not 0 < point.start_time_unix_nano <= point.time_unix_nano:
            yield "a data point ends before it starts"
        if kind == "histogram":
            yield from of_histogram(point)


def of_histogram(point):
    bounds = list(point.explicit_bounds)
    if bounds != sorted(set(bounds)):
        yield "its bounds do not increase"
    if len(point.bucket_counts) != len(bounds) + 1 or sum(point.bucket_counts) != point.count:
        yield "its buckets do not add up to its count"
    if not point.min * point.count <= point.sum * (1 + 1e-9) <= point.max * point.count * (1 + 1e-6):
        yield "its sum does not fit its minimum and maximum"


def self_test():
    names = ["service.name", "telemetry.sdk.language", "telemetry.sdk.name", "telemetry.sdk.version"]
    resource = {"attributes": [{"key": name, "value": {"stringValue": "x"}} for name in names]}
    span = {"traceId": "0af7651916cd43dd8448eb211c80319c", "spanId": "b7ad6b7169203331", "flags": 257, "name": "a",
            "kind": 1, "startTimeUnixNano": "1", "endTimeUnixNano": "2", "attributes": []}
    point = {"attributes": [], "startTimeUnixNano": "1", "timeUnixNano": "2", "count": "1", "sum": 0.5, "min": 0.5,
             "max": 0.5, "bucketCounts": ["1", "0"], "explicitBounds": [1.0]}
    metric = {"name": "a.b", "unit": "s", "histogram": {"aggregationTemporality": 2, "dataPoints": [point]}}
    trace = {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": {"name": "x"}, "spans": [span]}]}]}
    scope = {"scope": {"name": "x"}, "metrics": [metric]}
    metrics = {"resourceMetrics": [{"resource": resource, "scopeMetrics": [scope]}]}
    of_span = lambda json: json["resourceSpans"][0]["scopeSpans"][0]["spans"][0]
    of_metric = lambda json: json["resourceMetrics"][0]["scopeMetrics"][0]["metrics"][0]
    of_point = lambda json: of_metric(json)["histogram"]["dataPoints"][0]
    cases = [("/v1/traces", trace, of_span, changes) for changes in [
        {"traceId": "0" * 32}, {"spanId": "b7ad"}, {"startTimeUnixNano": 1}, {"start_time_unix_nano": "1"}, {"kind": 0},
        {"kind": "SPAN_KIND_CLIENT"}, {"endTimeUnixNano": "0"}, {"name": ""}, {"flags": 1}, {"unknown": 1},
        {"parentSpanId": "b7ad6b7169203331"}, {"status": {"code": 1, "message": "x"}},
        {"attributes": [{"key": "a", "value": {"intValue": "1"}}] * 2},
        {"attributes": [{"key": "a", "value": {"intValue": 1}}]},
        {"events": [{"timeUnixNano": "1"}]}]]
    cases += [("/v1/metrics", metrics, of_metric, changes) for changes in [
        {"name": "1a"}, {"unit": "seconds"}, {"histogram": {"aggregationTemporality": 1, "dataPoints": [point]}},
        {"histogram": {"aggregationTemporality": 2, "dataPoints": []}},
        {"histogram": {"aggregationTemporality": 2, "dataPoints": [point, point]}}]]
    cases += [("/v1/metrics", metrics, of_point, changes) for changes in [
        {"count": "2"}, {"bucketCounts": ["1"]}, {"explicitBounds": [1.0, 1.0], "bucketCounts": ["1", "0", "0"]},
        {"sum": 5.0}, {"timeUnixNano": "0"}, {"count": 1}]]
    for path, valid in [("/v1/traces", trace), ("/v1/metrics", metrics)]:
        if found := problems(path, valid):
            sys.exit(f"Tools/check-otlp: a valid message is refused: {found}")
    for path, valid, place, changes in cases:
        broken = copy.deepcopy(valid)
        place(broken).update(changes)
        if not problems(path, broken):
            sys.exit(f"Tools/check-otlp: the rules do not find {changes}")
    print(f"Tools/check-otlp: the rules find {len(cases)} mistakes")


if __name__ == "__main__":
    self_test()
