import NovaCore

/// A failure that the backend answers with, in grpc-gateway's shape.
struct MockFailure: Error {
  let status: GRPCStatus
  let message: String
  let httpStatus: Int

  /// - Parameter httpStatus: where it is not the one that goes with `status`.
  init(_ status: GRPCStatus, _ message: String, httpStatus: Int? = nil) {
    self.status = status
    self.message = message
    self.httpStatus = httpStatus ?? status.httpStatus
  }

  var response: HTTPResponse {
    let body = JSONValue.object([
      .init(name: "code", value: .number(String(status.rawValue))),
      .init(name: "message", value: .string(message)),
      .init(name: "details", value: .array([])),
    ])
    return HTTPResponse(
      status: httpStatus, headers: ["Content-Type": "application/json"], body: body.jsonUTF8)
  }
}
