@testable import NovaCore
@testable import NovaRegistry

/// The first byte chooses the status, and the RPC of a success. Errors are one printable line, and have
/// text of the server only in `server`.
enum ErrorsTarget {
  private static let rpcs = RPCRegistry.nova.rpcs

  static func check(_ bytes: [UInt8]) {
    guard let first = bytes.first else { return }
    let body = Array(bytes.dropFirst())
    let retryAfter = String(decoding: body.prefix(20), as: UTF8.self)
    var response = HTTPResponse(status: 200 + Int(first) * 2, headers: ["Retry-After": retryAfter], body: body)
    check(APIError(response))
    response.status = 200
    if let error = APIError(enclosedIn: response, of: rpcs[Int(first) % rpcs.count]) { check(error) }
  }

  private static func check(_ error: APIError) {
    let text = error.description
    require(text.isPrintable, "the error has control characters: \(text.debugDescription)")
    require(text.utf8.count < 400, "the error has \(text.utf8.count) bytes: \(text)")
    require((error.server?.message.utf8.count ?? 0) < 1 << 20, "the server's message is kept without a limit")
  }
}
