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
      requestID, "Identifies the call in logs; the same for all its attempts. Responses repeat it.", minimum: nil),
    idempotencyKey: parameter(
      idempotencyKey,
      "Identifies the call, so that a repetition changes nothing and gets the first response; a new UUID for each call.",
      minimum: 1, maximum: 255),
  ]

  static let responseHeaders: JSONValue = [
    requestID: header("The request's own."),
    ContractHeaders.idempotencyReplayed: header(
      "`true` when this is the response to an earlier request with the same key.", pattern: "^true$"),
    ContractHeaders.retryAfter: header(
      "The time to wait, in seconds, or an HTTP date.", pattern: "^([0-9]+|[A-Z][a-z]{2,8},? [ -~]+)$"),
    "ETag": header("Identifies the bytes.", pattern: #"^(W/)?"[^"]*"$"#),
    "Accept-Ranges": header("`bytes`.", pattern: "^[a-z]+$"),
    "Content-Range": header(
      "The part that the body is, or the size: `bytes 0-99/1000`, `bytes */1000`.",
      pattern: #"^bytes ([0-9]+-[0-9]+/([0-9]+|\*)|\*/[0-9]+)$"#),
    "Cache-Control": header("How long the bytes can be cached."),
    "Repr-Digest": header(
      """
      The SHA-256 digest of the whole file, even if the body is a part of it: `sha-256=:<base64>:` (RFC 9530). Not every \
      server sends it.
      """, pattern: "^[a-z0-9-]+=:[A-Za-z0-9+/]+=*:"),
  ]

  private static func parameter(
    _ name: String, _ description: JSONValue, minimum: JSONValue?, maximum: JSONValue? = nil
  ) -> JSONValue {
    [
      "name": .string(name), "in": "header", "description": description,
      "schema": ["type": "string", "minLength": minimum, "maxLength": maximum],
      "example": "8f14e45f-ceea-467f-a9e6-a9d3f2f0b1c2",
    ]
  }

  private static func header(_ description: JSONValue, pattern: JSONValue? = nil) -> JSONValue {
    ["description": description, "schema": ["type": "string", "pattern": pattern]]
  }
}
