import NovaCore

/// A failure that the backend answers with, in grpc-gateway's shape.
struct MockFailure: Error {
  let status: GRPCStatus
  let message: String

  init(_ status: GRPCStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  var response: HTTPResponse {
    let body = JSONValue.object([
      .init(name: "code", value: .number(String(status.rawValue))),
      .init(name: "message", value: .string(message)),
      .init(name: "details", value: .array([])),
    ])
    return HTTPResponse(
      status: status.httpStatus, headers: ["Content-Type": "application/json"], body: body.jsonUTF8)
  }
}
