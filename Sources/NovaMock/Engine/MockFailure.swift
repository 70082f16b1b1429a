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
    let body = JSONValue.object([
      .init(name: "code", value: .number(String(status.rawValue))),
      .init(name: "message", value: .string(message)),
      .init(name: "details", value: .array(reason.map { [Self.errorInfo($0)] } ?? [])),
    ])
    return HTTPResponse(
      status: httpStatus, headers: ["Content-Type": "application/json"], body: body.jsonUTF8)
  }

  /// `google.rpc.ErrorInfo`, as gRPC services send it.
  private static func errorInfo(_ reason: String) -> JSONValue {
    .object([
      .init(name: "@type", value: .string("type.googleapis.com/google.rpc.ErrorInfo")),
      .init(name: "reason", value: .string(reason)),
      .init(name: "domain", value: .string("nova.social")),
    ])
  }
}
