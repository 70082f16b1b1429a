"""Calls of a server through grpcio, for every RPC of Proto/."""
import base64
import dataclasses

import grpc
from google.protobuf import json_format
from google.rpc import status_pb2

from . import contract

UNLIMITED = [("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1)]


@dataclasses.dataclass
class Outcome:
    """How a call ended."""
    code: int
    message: str
    answers: list
    headers: list
    trailers: list
    # google.rpc.Status, or None.
    details: object

    @property
    def answer(self):
        return self.answers[0] if self.answers else None

    def as_json(self):
        def pairs(metadata):
            return [[k, base64.b64encode(v).decode() if isinstance(v, bytes) else v] for k, v in metadata]
        text = {"preserving_proto_field_name": True, "always_print_fields_with_no_presence": True}
        return {
            "status": self.code, "message": self.message,
            "answers": [json_format.MessageToDict(answer, **text) for answer in self.answers],
            "headers": pairs(self.headers), "trailers": pairs(self.trailers),
            "details": [any.type_url for any in self.details.details] if self.details is not None else None,
        }


class Client:
    """A channel to a server, and its RPCs by the name that the SDK gives them, such as graph.GetFollowers."""

    def __init__(self, target, authority=None, certificate=None, key=None, token=None, options=()):
        """`authority`, `certificate` and `key` are files in PEM form; with the first, the channel uses TLS."""
        self.methods = {method.id: method for method in contract.methods()}
        self.token = token
        options = UNLIMITED + list(options)
        if authority is None:
            self.channel = grpc.insecure_channel(target, options)
        else:
            read = lambda path: open(path, "rb").read() if path else None  # noqa: E731
            self.channel = grpc.secure_channel(
                target, grpc.ssl_channel_credentials(read(authority), read(key), read(certificate)), options)

    def close(self):
        self.channel.close()

    def begin(self, id, request=None, metadata=(), timeout=30, compression=None):
        """Starts a call and returns grpcio's call object.

        `request` is a dictionary in the form of proto3 JSON, or a message.
        """
        method = self.methods[id]
        if not isinstance(request, method.request):
            request = json_format.ParseDict(request or {}, method.request())
        metadata = list(metadata)
        if self.token and not any(name == "authorization" for name, _ in metadata):
            metadata.append(("authorization", f"Bearer {self.token}"))
        make = self.channel.unary_stream if method.is_streaming else self.channel.unary_unary
        call = make(method.path, method.request.SerializeToString, method.response.FromString)
        options = {"metadata": metadata, "timeout": timeout, "compression": compression}
        return call(request, **options) if method.is_streaming else call.future(request, **options)

    def call(self, id, request=None, metadata=(), timeout=30, compression=None, take=None):
        """Makes a call to its end; `take`: cancels a stream after so many messages."""
        call = self.begin(id, request, metadata, timeout, compression)
        messages = []
        try:
            if self.methods[id].is_streaming:
                for message in call:
                    messages.append(message)
                    if take is not None and len(messages) >= take:
                        call.cancel()
            else:
                # None if the message is incomplete, whatever the status.
                answer = call.result()
                if answer is not None:
                    messages.append(answer)
        except (grpc.RpcError, grpc.FutureCancelledError):
            pass
        trailers = [(pair.key, pair.value) for pair in call.trailing_metadata() or ()]
        headers = [(pair.key, pair.value) for pair in call.initial_metadata() or ()]
        raw = dict(trailers).get("grpc-status-details-bin")
        return Outcome(
            call.code().value[0], call.details() or "", messages, headers, trailers,
            status_pb2.Status.FromString(raw) if raw is not None else None)
