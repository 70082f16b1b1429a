import NovaCore

/// An error response in grpc-gateway's format.
struct MockFailure: Error {
  let status: GRPCStatus
  let message: String
  let httpStatus: Int
  /// A machine-readable reason that distinguishes errors of one status, for example `ACCOUNT_LOCKED`.
  let reason: String?

  /// - Parameter httpStatus: the HTTP status. Default: the one that corresponds to `status`.
  init(_ status: GRPCStatus, _ message: String, httpStatus: Int? = nil, reason: String? = nil) {
    self.status = status
    self.message = message
    self.httpStatus = httpStatus ?? status.httpStatus
    self.reason = reason
  }

  var response: HTTPResponse {
    .json(
      .members(
        ("code", .number(String(status.rawValue))), ("message", .string(message)),
        ("details", .array(reason.map { [Self.errorInfo($0)] } ?? []))), status: httpStatus)
  }

  /// `google.rpc.ErrorInfo`, as gRPC services send it.
  private static func errorInfo(_ reason: String) -> JSONValue {
    .members(
      ("@type", .string("type.googleapis.com/google.rpc.ErrorInfo")), ("reason", .string(reason)),
      ("domain", .string("nova.social")))
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
  throw MockFailure(.invalidArgument, "\(name) must be one of \(allowed)")
}

/// Throws for an empty id.
func require(_ id: String, _ name: String) throws(MockFailure) {
  if id.isEmpty { throw MockFailure(.invalidArgument, "\(name) must not be empty") }
}

/// Throws for a text that is too long.
func requireLength(_ text: String, _ name: String, maximum: Int) throws(MockFailure) {
  if text.count > maximum {
    throw MockFailure(.invalidArgument, "\(name) has \(text.count) characters; at most \(maximum) are allowed")
  }
}

/// Throws for ids of which a map holds only one: they differ in nothing but their Unicode form.
func requireDistinctKeys(_ ids: [String]) throws(MockFailure) {
  guard let (first, second) = ids.twins else { return }
  throw MockFailure(
    .invalidArgument,
    "the ids \(first.quoted) and \(second.quoted) differ only in their Unicode form; ask for them in two requests")
}
