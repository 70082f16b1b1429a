import NovaCore

/// The headers that many operations share.
enum OpenAPIHeaders {
  private static let requestID = ContractHeaders.requestID
  private static let idempotencyKey = ContractHeaders.idempotencyKey

  /// The headers of a request to an RPC.
  static func references(for rpc: RPCDescriptor) -> [JSONValue] {
    let names = rpc.effect == .noSideEffects ? [requestID] : [requestID, idempotencyKey]
    return names.map { OpenAPISchemas.reference("parameters", $0) }
  }

  /// The headers of a successful response.
  static func references(ofResponseTo rpc: RPCDescriptor) -> JSONValue {
    references(rpc.effect == .noSideEffects ? [requestID] : [requestID, ContractHeaders.idempotencyReplayed])
  }

  static func references(_ names: [String]) -> JSONValue {
    .object(names.map { .init(name: $0, value: OpenAPISchemas.reference("headers", $0)) })
  }

  static let parameters: JSONValue = [
    requestID: parameter(
      requestID, "Identifies the call in logs; the same for all its attempts. Responses repeat it."),
    idempotencyKey: parameter(
      idempotencyKey,
      "Identifies the call, so that a repetition changes nothing and gets the first response; a new UUID for each call.",
      maximum: 255),
  ]

  static let responseHeaders: JSONValue = [
    requestID: header("The request's own."),
    ContractHeaders.idempotencyReplayed: header(
      "`true` when this is the response to an earlier request with the same key."),
    ContractHeaders.retryAfter: header("The time to wait, in seconds, or an HTTP date."),
    "ETag": header("Identifies the bytes."),
    "Accept-Ranges": header("`bytes`."),
    "Content-Range": header("The part that the body is, or the size: `bytes 0-99/1000`, `bytes */1000`."),
    "Cache-Control": header("How long the bytes can be cached."),
    "Repr-Digest": header(
      """
      The SHA-256 digest of the whole file, even if the body is a part of it: `sha-256=:<base64>:` (RFC 9530). Not every \
      server sends it.
      """),
  ]

  private static func parameter(_ name: String, _ description: JSONValue, maximum: JSONValue? = nil) -> JSONValue {
    [
      "name": .string(name), "in": "header", "description": description,
      "schema": ["type": "string", "minLength": 1, "maxLength": maximum],
      "example": "8f14e45f-ceea-467f-a9e6-a9d3f2f0b1c2",
    ]
  }

  private static func header(_ description: JSONValue) -> JSONValue {
    ["description": description, "schema": ["type": "string"]]
  }
}
