import NovaCore

/// The failures of operations: by HTTP status, with the codes and reasons of the contract.
struct OpenAPIErrors {
  private let rpc: RPCDescriptor
  private let reasons: [(status: GRPCStatus, reason: String)]

  init(_ rpc: RPCDescriptor, _ texts: ContractTexts) {
    self.rpc = rpc
    reasons = texts.errors(of: rpc) + Self.general(rpc)
  }

  /// What can happen to every call of its kind.
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

  static let responses: [JSONValue.Member] = [
    ("DeadlineExceeded", response("DEADLINE_EXCEEDED when a service did not answer in time.")),
    ("InternalError", response("INTERNAL or UNKNOWN when a service failed.")),
    ("KeyReused", response("The Idempotency-Key came with a different request before.")),
    ("Throttled", response("RESOURCE_EXHAUSTED when there are too many requests.", retries: true)),
    ("TooLarge", response("The body is too large.")),
    ("Unavailable", response("UNAVAILABLE when a service cannot be reached.", retries: true)),
    ("UnsupportedMediaType", response("The body is not `application/json`.")),
  ].map { .init(name: $0.0, value: $0.1) }

  /// A response with an error.
  ///
  /// - Parameter retries: whether it can say when to try again.
  static func response(_ description: String, retries: Bool = false) -> JSONValue {
    let schema = JSONValue.members(("schema", OpenAPISchemas.reference("schemas", "Error")))
    return .members(
      ("description", .string(description)),
      ("headers", OpenAPIHeaders.references(retries ? ["X-Request-ID", "Retry-After"] : ["X-Request-ID"])),
      (
        "content",
        .object([
          .init(name: "application/json", value: schema),
          .init(name: "application/problem+json", value: .members(("schema", reference("ProblemDetails")))),
          .init(name: "text/plain", value: .members(("schema", .members(("type", .string("string")))))),
        ])
      ))
  }

  private static func reference(_ name: String) -> JSONValue { OpenAPISchemas.reference("schemas", name) }

  /// The shapes of errors that backends send.
  static let schemas: [JSONValue.Member] = [
    (
      "Error",
      .members(
        ("description", .string("An error in one of the shapes that backends send.")),
        ("anyOf", .array(["GatewayError", "NovaError", "DetailError"].map(reference))))
    ),
    (
      "GatewayError",
      object(
        "An error of grpc-gateway.", required: ["code", "message"],
        ("code", integer("The gRPC status code.")), ("message", text("What went wrong, for people.")),
        ("details", .members(("type", .string("array")), ("items", .members(("type", .string("object")))))),
        example: .members(
          ("code", .number("5")), ("message", .string("not found: post \"42\"")), ("details", .array([]))))
    ),
    (
      "NovaError",
      object(
        "An error of a Nova service.", required: ["error"],
        (
          "error",
          object(
            "The error.", required: ["code", "message"], ("code", text("A name, which ends like a gRPC status.")),
            ("message", text("What went wrong, for people.")),
            ("metadata", .members(("type", .string("object")), ("additionalProperties", text(nil)))))
        ),
        example: .members(
          (
            "error",
            .members(("code", .string("POST_NOT_FOUND")), ("message", .string("not found: post \"42\"")))
          )))
    ),
    (
      "DetailError",
      object(
        "An error of a FastAPI service: a text, or a list of fields.", required: ["detail"],
        (
          "detail",
          .members(
            (
              "anyOf",
              .array([
                text(nil), .members(("type", .string("array")), ("items", .members(("type", .string("object"))))),
              ])
            ))
        ),
        example: .members(("detail", .string("Not found"))))
    ),
    (
      "ProblemDetails",
      object(
        "Problem details (RFC 9457).", required: [],
        ("type", text("The kind of problem, a URI.")), ("title", text("The kind of problem, for people.")),
        ("status", integer("The HTTP status.")), ("detail", text("What went wrong, for people.")),
        example: .members(("title", .string("Not Found")), ("status", .number("404"))))
    ),
  ].map { .init(name: $0.0, value: $0.1) }

  private static func object(
    _ description: String, required: [String], _ properties: (String, JSONValue)..., example: JSONValue? = nil
  ) -> JSONValue {
    .members(
      ("type", .string("object")), ("description", .string(description)),
      ("required", required.isEmpty ? nil : .array(required.map { .string($0) })),
      ("properties", .object(properties.map { .init(name: $0.0, value: $0.1) })),
      ("examples", example.map { .array([$0]) }))
  }

  private static func text(_ description: String?) -> JSONValue {
    .members(("type", .string("string")), ("description", description.map { .string($0) }))
  }

  private static func integer(_ description: String) -> JSONValue {
    .members(("type", .string("integer")), ("description", .string(description)))
  }
}
