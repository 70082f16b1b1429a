public import NovaCore
import NovaRecording

/// A request with a gateway's response.
///
/// Secrets are placeholders (`{{secret:1}}` and so on); the same placeholder stands for the same secret throughout one
/// call of ``all(of:now:)``. Headers that differ from run to run, such as `X-Request-ID`, are removed.
public struct FixtureExchange: Sendable, Hashable {
  /// The RPC: `graph.GetFollowers`.
  public let rpc: String
  /// A name that is unique among the RPC's exchanges: `limit 2, offset 1`.
  public let name: String
  /// The request, to a gateway on `http://localhost:8080`.
  public let request: HTTPRequest
  /// The response.
  public let response: HTTPResponse
  /// How the exchange came about.
  let origin: Origin

  enum Origin: Hashable {
    /// Sent to a mock backend with a world, as the request of this number: what follows can depend on it.
    case recorded(Int)
    /// A response of an edge case, which no backend returns.
    case edgeCase
    /// Made by a program.
    case other
  }

  /// Creates an exchange.
  public init(rpc: String, name: String, request: HTTPRequest, response: HTTPResponse) {
    self.init(rpc: rpc, name: name, request: request, response: response, origin: .other)
  }

  init(rpc: String, name: String, request: HTTPRequest, response: HTTPResponse, origin: Origin) {
    (self.rpc, self.name, self.origin) = (rpc, name, origin)
    (self.request, self.response) = (request, response)
  }

  /// The base URL of all requests.
  static let baseURL: HTTPURL = "http://localhost:8080"

  /// The path and query of the request.
  var target: String {
    request.url.origin == Self.baseURL.origin ? request.url.target : request.url.text
  }
}

/// An error while generating exchanges.
public struct FixtureExchangeError: NovaError, Hashable {
  /// The problem, and what to do.
  public let description: String

  init(_ description: String) { self.description = description }
}

extension FixtureExchange {
  /// `{"name":…,"request":{"method":…,"path":…,"headers":[…],"body":…},"response":{"status":…,"headers":[…],"body":…}}`
  var json: JSONValue {
    let (asked, answered) = (Body(request.body.inMemory), Body(response.body.inMemory))
    return [
      "name": .string(name),
      "request": [
        "method": .string(request.method.rawValue), "path": .string(target), "headers": request.headers.json(),
        "body": asked.json, "body_base64": asked.base64,
      ],
      "response": [
        "status": .number(response.status), "headers": response.headers.json(), "body": answered.json,
        "body_base64": answered.base64,
      ],
    ]
  }
}

/// A body as JSON, or in Base64 if it is not JSON.
private struct Body {
  let json: JSONValue?
  let base64: JSONValue?

  init(_ bytes: [UInt8]) {
    json = bytes.isEmpty ? nil : try? JSONValue(jsonUTF8: bytes)
    let isOther = !bytes.isEmpty && json == nil
    base64 = isOther ? .string(String(decoding: Base64.encode(bytes), as: UTF8.self)) : nil
  }
}
