package import NovaCore

/// An error response in grpc-gateway's format.
package struct MockFailure: Error {
  /// The domain of ``reason``.
  package static let domain = "nova.social"

  package let status: GRPCStatus
  package let message: String
  private let httpStatus: Int
  /// A machine-readable reason that distinguishes errors of one status, for example `ACCOUNT_LOCKED`.
  package let reason: String?
  package let headers: HTTPHeaders
  /// The field of the request that breaks its rule, and how. Only for gRPC: gateways put it into the message.
  package private(set) var field: (name: String, problem: String)?

  /// - Parameters:
  ///   - httpStatus: the HTTP status. Default: the one that corresponds to `status`.
  ///   - headers: further headers of the response. Default: none.
  package init(
    _ status: GRPCStatus, _ message: String, httpStatus: Int? = nil, reason: String? = nil, headers: HTTPHeaders = [:]
  ) {
    self.status = status
    self.message = message
    self.httpStatus = httpStatus ?? status.httpStatus
    self.reason = reason
    self.headers = headers
  }

  package var response: HTTPResponse {
    let details = reason.map { [Self.errorInfo($0)] } ?? []
    var response = HTTPResponse.json(
      ["code": .number(status.rawValue), "message": .string(message), "details": .array(details)], status: httpStatus)
    for field in headers { response.headers.append(name: field.name, value: field.value) }
    return response
  }

  /// `google.rpc.ErrorInfo`, as gRPC services send it.
  private static func errorInfo(_ reason: String) -> JSONValue {
    ["@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": .string(reason), "domain": .string(domain)]
  }
}

extension MockFailure {
  /// The failure of a call whose request is invalid.
  package static func invalid(_ message: String) -> MockFailure { MockFailure(.invalidArgument, message) }

  /// The failure of a call whose request has an invalid field.
  static func invalid(field: String, _ problem: String) -> MockFailure {
    var failure = MockFailure.invalid("\(field) \(problem)")
    failure.field = (field, problem)
    return failure
  }

  /// The failure of a call that the caller may not make.
  package static func forbidden(_ message: String) -> MockFailure { MockFailure(.permissionDenied, message) }

  /// The failure of a call about something that does not exist, or that the caller may not see.
  static func missing(_ kind: String, _ id: String) -> MockFailure {
    MockFailure(.notFound, "not found: \(kind) \(id.quoted)")
  }

  /// The failure of JSON that a person wrote.
  ///
  /// - Parameters:
  ///   - name: the member with the JSON; nil for the whole body.
  ///   - message: what it should be.
  init(_ error: ProtoJSONError, in name: String?, of message: String) {
    guard let field = error.unknownField else {
      self.init(.invalidArgument, "\(name ?? "the body") does not match the \(message): \(error)")
      return
    }
    let hint = Suggestion.closest(to: field.name, among: field.message.fields.map(\.name))
    self.init(
      .invalidArgument,
      "unknown field: \(name.map { "\($0)." } ?? "")\(error.path)\(hint.map { "; did you mean \($0)?" } ?? "")")
  }
}

extension GRPCStatus {
  /// Creates the code that corresponds to an HTTP status.
  init(ofHTTP status: Int) {
    let codes: [Int: GRPCStatus] = [
      400: .invalidArgument, 401: .unauthenticated, 403: .permissionDenied, 404: .notFound, 409: .aborted,
      429: .resourceExhausted, 499: .cancelled, 500: .internalError, 501: .unimplemented, 503: .unavailable,
      504: .deadlineExceeded,
    ]
    self = codes[status] ?? .unknown
  }
}

/// Returns one of a field's allowed values, or `default` for an empty field, and throws for any other text.
func requireOne<Value: CaseIterable & RawRepresentable<String>>(
  _ text: String, _ name: String, default: Value? = nil
) throws(MockFailure) -> Value {
  if text.isEmpty, let `default` { return `default` }
  if let value = Value(rawValue: text) { return value }
  let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
  throw .invalid("\(name) must be one of \(allowed)")
}

/// Throws for an empty id.
func require(_ id: String, _ name: String) throws(MockFailure) {
  if id.isEmpty { throw .invalid("\(name) must not be empty") }
}

/// Throws for a text that is too long.
func requireLength(_ text: String, _ name: String, maximum: Int) throws(MockFailure) {
  if text.count > maximum {
    throw .invalid("\(name) has \(text.count) characters; at most \(maximum) are allowed")
  }
}

/// Throws for ids of which a map holds only one: they differ in nothing but their Unicode form.
func requireDistinctKeys(_ ids: [String]) throws(MockFailure) {
  guard let (first, second) = ids.twins else { return }
  throw .invalid(
    "the ids \(first.quoted) and \(second.quoted) differ only in their Unicode form; ask for them in two requests")
}
