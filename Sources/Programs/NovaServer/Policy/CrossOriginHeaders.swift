import NovaCore
import NovaMock

/// The headers with which browsers let pages of another origin send requests and read responses (CORS).
enum CrossOriginHeaders {
  /// How long browsers remember the response to a preflight request, in seconds.
  private static let maximumAge = 600

  /// What browsers show to pages without permission, and what means nothing to them.
  private static let unlisted: Set = [
    "cache-control", "content-language", "content-length", "content-type", "expires", "last-modified", "pragma",
    "connection", "set-cookie", "vary",
  ]

  /// The response to a preflight request: what the page may send.
  static func preflight(for request: ReceivedRequest) -> HTTPResponse {
    var response = HTTPResponse(
      status: 204,
      headers: [
        "Access-Control-Allow-Methods": Application.methods.joined(separator: ", "),
        "Access-Control-Allow-Headers": allowedHeaders(for: request).joined(separator: ", "),
        "Access-Control-Max-Age": "\(maximumAge)",
        "Vary": "Access-Control-Request-Method, Access-Control-Request-Headers",
      ])
    // A page from the network asks for leave to use a server on this machine.
    if request.headers["Access-Control-Request-Private-Network"] == "true" {
      response.headers["Access-Control-Allow-Private-Network"] = "true"
    }
    return response
  }

  /// Whether a request only asks what the page may send.
  static func isPreflight(_ request: ReceivedRequest) -> Bool {
    request.method.rawValue == "OPTIONS" && request.headers["Access-Control-Request-Method"] != nil
  }

  /// Lets pages of an origin read a response.
  static func allow(_ origin: String, toRead response: inout HTTPResponse, of request: ReceivedRequest) {
    response.headers["Access-Control-Allow-Origin"] = origin
    response.headers["Access-Control-Allow-Credentials"] = "true"
    if isPreflight(request) { return }
    response.headers["Access-Control-Expose-Headers"] = exposedHeaders(of: response).joined(separator: ", ")
  }

  /// Notes that a response differs for other origins, so that caches do not give it to them.
  static func vary(_ response: inout HTTPResponse) {
    let names = response.headers.values(for: "Vary")
    response.headers["Vary"] = (names + ["Origin"]).joined(separator: ", ")
  }

  /// The headers that clients of the contract send, and those for which the page asks.
  private static func allowedHeaders(for request: ReceivedRequest) -> [String] {
    let asked = FieldList.elements(request.headers.values(for: "Access-Control-Request-Headers"))
    return distinct(
      ContractHeaders.ofRequests + asked.filter { HTTPHeaders.Field(name: $0, value: "").problem == nil })
  }

  /// The headers that clients of the contract read, and others that the response has, for example those of a stub.
  private static func exposedHeaders(of response: HTTPResponse) -> [String] {
    let others = response.headers.map(\.name).filter { name in
      !unlisted.contains(name.lowercased()) && !name.lowercased().hasPrefix("access-control-")
    }
    return distinct(ContractHeaders.ofResponses + others)
  }

  /// The names without those that differ only in case from an earlier one.
  private static func distinct(_ names: [String]) -> [String] {
    var seen: Set<String> = []
    return names.filter { seen.insert($0.lowercased()).inserted }
  }
}
