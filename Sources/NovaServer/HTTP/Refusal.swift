#if Server
  import NIOHTTP1
#endif
import NovaCore

/// Responses to requests that never become calls, in the gateway's format.
enum Refusal {
  static let tooLarge = response(
    413, .invalidArgument, "the body is larger than \(ReceivedRequest.bodyLimit >> 20) MiB")

  /// A later attempt can succeed.
  static let noRoom: HTTPResponse = {
    var response = Refusal.response(
      503, .unavailable, "the server's memory limit for requests and responses is reached; try again later")
    response.headers["Retry-After"] = "1"
    return response
  }()

  #if Server
    static func response(to error: HTTPParserError) -> HTTPResponse {
      error == .headerOverflow
        ? response(431, .invalidArgument, "the request's headers are too large")
        : response(400, .invalidArgument, "this is not HTTP/1.1: \(error)")
    }
  #endif

  static func response(_ status: Int, _ code: GRPCStatus, _ message: String) -> HTTPResponse {
    let body = JSONValue.object([
      .init(name: "code", value: .number(String(code.rawValue))), .init(name: "message", value: .string(message)),
      .init(name: "details", value: .array([])),
    ])
    return HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: body.jsonUTF8)
  }
}
