import NovaCore

/// The failures of operations: by HTTP status, with the codes and reasons of the contract.
struct OpenAPIErrors {
  private let rpc: RPCDescriptor
  private let reasons: [(status: GRPCStatus, reason: String)]

  init(_ rpc: RPCDescriptor, _ texts: ContractTexts) {
    self.rpc = rpc
    reasons = texts.errors(of: rpc) + Self.general(rpc)
  }

  /// The failures that any call of this kind can have.
  private static func general(_ rpc: RPCDescriptor) -> [(status: GRPCStatus, reason: String)] {
    var reasons: [(status: GRPCStatus, reason: String)] = []
    if !rpc.requestType.descriptor.fields.isEmpty {
      reasons.append((.invalidArgument, "when the request is malformed"))
    }
    guard rpc.requiresAuthentication else { return reasons }
    return reasons + [
      (.unauthenticated, "when the access token is missing, expired or revoked"),
      (.permissionDenied, "when the access token is that of another user"),
    ]
  }

  /// The responses with errors, by status.
  var members: [JSONValue.Member] {
    var responses: [Int: JSONValue] = [:]
    for (status, reasons) in Dictionary(grouping: reasons, by: \.status.httpStatus) {
      let words = reasons.map { "\($0.status) \($0.reason)" }.joined(separator: "; ")
      responses[status] = Self.response("\(words).")
    }
    for (status, name) in Self.shared where isPossible(status) {
      responses[status] = OpenAPISchemas.reference("responses", name)
    }
    return responses.sorted { $0.key < $1.key }.map { .init(name: String($0.key), value: $0.value) }
  }

  private func isPossible(_ status: Int) -> Bool {
    switch status {
    case 413, 415: rpc.http.hasBody
    case 422: rpc.effect != .noSideEffects
    default: true
    }
  }

  /// Failures that do not depend on the operation.
  private static let shared = [
    413: "TooLarge", 415: "UnsupportedMediaType", 422: "KeyReused", 429: "Throttled", 500: "InternalError",
    503: "Unavailable", 504: "DeadlineExceeded",
  ]

  static let responses: JSONValue = [
    "DeadlineExceeded": response("DEADLINE_EXCEEDED when a service did not answer in time."),
    "InternalError": response("INTERNAL or UNKNOWN when a service failed."),
    "KeyReused": response("The Idempotency-Key came with a different request before."),
    "Throttled": response("RESOURCE_EXHAUSTED when there are too many requests.", retries: true),
    "TooLarge": response("The body is too large."),
    "Unavailable": response("UNAVAILABLE when a service cannot be reached.", retries: true),
    "UnsupportedMediaType": response("The body is not `application/json`."),
  ]

  /// A response with an error.
  ///
  /// - Parameter retries: whether it can include the time to wait before the next attempt.
  static func response(_ description: String, retries: Bool = false) -> JSONValue {
    [
      "description": .string(description),
      "headers": OpenAPIHeaders.references(retries ? ["X-Request-ID", "Retry-After"] : ["X-Request-ID"]),
      "content": [
        "application/json": ["schema": reference("Error")],
        "application/problem+json": ["schema": reference("ProblemDetails")],
        "text/plain": ["schema": ["type": "string"]],
      ],
    ]
  }

  private static func reference(_ name: String) -> JSONValue { OpenAPISchemas.reference("schemas", name) }

  /// The shapes of errors that backends send.
  static let schemas: JSONValue = [
    "Error": [
      "description": "An error in one of the shapes that backends send.",
      "anyOf": .array(["GatewayError", "NovaError", "DetailError"].map(reference)),
    ],
    "GatewayError": object(
      "An error of grpc-gateway.", required: ["code", "message"],
      [
        "code": integer("The gRPC status code."), "message": text("What went wrong, for people."),
        "details": ["type": "array", "items": ["type": "object"]],
      ], example: ["code": 5, "message": "not found: post \"42\"", "details": []]),
    "NovaError": object(
      "An error of a Nova service.", required: ["error"],
      [
        "error": object(
          "The error.", required: ["code", "message"],
          [
            "code": text("A name, which ends like a gRPC status."), "message": text("What went wrong, for people."),
            "metadata": ["type": "object", "additionalProperties": ["type": "string"]],
          ])
      ], example: ["error": ["code": "POST_NOT_FOUND", "message": "not found: post \"42\""]]),
    "DetailError": object(
      "An error of a FastAPI service: a text, or a list of fields.", required: ["detail"],
      ["detail": ["anyOf": [["type": "string"], ["type": "array", "items": ["type": "object"]]]]],
      example: ["detail": "Not found"]),
    "ProblemDetails": object(
      "Problem details (RFC 9457).",
      [
        "type": text("The kind of problem, a URI."), "title": text("The kind of problem, for people."),
        "status": integer("The HTTP status."), "detail": text("What went wrong, for people."),
      ], example: ["title": "Not Found", "status": 404]),
  ]

  private static func object(
    _ description: JSONValue, required: JSONValue? = nil, _ properties: JSONValue, example: JSONValue? = nil
  ) -> JSONValue {
    [
      "type": "object", "description": description, "required": required, "properties": properties,
      "examples": example.map { [$0] },
    ]
  }

  private static func text(_ description: JSONValue) -> JSONValue { ["type": "string", "description": description] }

  private static func integer(_ description: JSONValue) -> JSONValue {
    ["type": "integer", "description": description]
  }
}
