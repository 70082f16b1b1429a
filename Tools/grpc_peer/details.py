"""google.rpc.Status with the details that are known, and one that is not."""
from google.protobuf import any_pb2
from google.rpc import error_details_pb2 as details
from google.rpc import status_pb2


def _known():
    return {
        "ErrorInfo": details.ErrorInfo(
            reason="USER_NOT_FOUND", domain="nova.social", metadata={"user_id": "u1", "größe": "süß ☺"}),
        "RetryInfo": details.RetryInfo(retry_delay={"seconds": 3, "nanos": 500_000_000}),
        "BadRequest": details.BadRequest(field_violations=[
            {"field": "user_id", "description": "is unknown – 100 % sure"},
            {"field": "limit", "description": "too large"}]),
        "QuotaFailure": details.QuotaFailure(violations=[{"subject": "user:u1", "description": "daily limit"}]),
        "RequestInfo": details.RequestInfo(request_id="r-1", serving_data="s"),
        "LocalizedMessage": details.LocalizedMessage(locale="de", message="Größe"),
    }


def status(code, message, names):
    """A status with the named details, in this order; `Unknown` is one of a type that nobody has."""
    result = status_pb2.Status(code=code, message=message)
    known = _known()
    for name in [*known, "Unknown"] if names == "all" else names:
        if name == "Unknown":
            result.details.append(any_pb2.Any(type_url="type.googleapis.com/nova.Custom", value=b"\x08\x01"))
        else:
            result.details.add().Pack(known[name])
    return result
