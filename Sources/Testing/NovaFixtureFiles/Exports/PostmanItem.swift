import NovaAuth
import NovaCore
import NovaRecording
import NovaRegistry

/// A request of a Postman collection, with its tests and examples.
struct PostmanItem {
  private let exchange: FixtureExchange
  private let examples: [FixtureExchange]
  private let script: [String]?

  /// - Parameters:
  ///   - examples: further examples.
  ///   - script: the lines of its tests; nil for a request whose response is not known.
  init(_ exchange: FixtureExchange, examples: [FixtureExchange], script: [String]?) {
    self.exchange = exchange
    self.examples = examples
    self.script = script
  }

  var json: JSONValue {
    let own = script == nil ? [] : [exchange]
    return [
      "name": .string(exchange.name), "event": script.map { .array([Self.test($0)]) },
      "request": Self.request(exchange), "response": .array((own + examples).map(Self.example)),
    ]
  }

  /// A script that runs after the response.
  static func test(_ lines: [String]) -> JSONValue {
    ["listen": "test", "script": ["type": "text/javascript", "exec": .strings(lines)]]
  }

  /// The line of a test that requires a status.
  static func requireStatus(_ status: Int) -> String {
    "pm.test(\"status is \(status)\", () => pm.response.to.have.status(\(status)));"
  }

  static let noAuthentication: JSONValue = ["type": "noauth"]

  private static func example(_ exchange: FixtureExchange) -> JSONValue {
    let response = exchange.response
    let name = exchange.origin == .edgeCase ? exchange.name : "\(response.status)"
    return [
      "name": .string(name), "originalRequest": request(exchange),
      "status": .string(response.isSuccess ? "OK" : "Error"), "code": .number(response.status),
      "header": response.headers.json("key"), "cookie": [],
      "body": .string(String(decoding: response.body.inMemory, as: UTF8.self)),
    ]
  }

  private static func request(_ exchange: FixtureExchange) -> JSONValue {
    let parts = ExportedRequest(exchange)
    let raw = "{{base_url}}\(PostmanText.url(exchange.target))"
    let query: [JSONValue] = parts.query.map {
      ["key": .string(PostmanText.parameter($0.name)), "value": .string(PostmanText.parameter($0.value))]
    }
    let url: JSONValue = [
      "raw": .string(raw), "host": ["{{base_url}}"],
      "path": .array(parts.path.split(separator: "/").map { .string(PostmanText.segment(String($0))) }),
      "query": query.isEmpty ? nil : .array(query),
    ]
    let needsToken = RPCRegistry.nova.rpc(named: exchange.rpc)?.requiresAuthentication ?? true
    let hasToken = exchange.request.headers["Authorization"] != nil
    return [
      "auth": needsToken && !hasToken ? nil : noAuthentication, "method": .string(parts.method),
      "header": exchange.request.headers.json("key"), "url": url, "body": parts.body.isEmpty ? nil : body(parts.body),
    ]
  }

  static func body(_ text: String) -> JSONValue {
    let language: JSONValue = ["raw": ["language": "json"]]
    return ["mode": "raw", "raw": .string(text), "options": language]
  }
}

/// The first request of a collection: logs in, and sets the token of the others.
enum PostmanLogin {
  static var item: JSONValue {
    let path = AuthRPC.login.descriptor.http.path
    let url: JSONValue = [
      "raw": "{{base_url}}\(path)", "host": ["{{base_url}}"],
      "path": .array(path.split(separator: "/").map { .string(String($0)) }),
    ]
    let header: JSONValue = ["key": "Content-Type", "value": "application/json"]
    let request: JSONValue = [
      "auth": PostmanItem.noAuthentication, "method": "POST", "header": [header], "url": url,
      "body": PostmanItem.body(#"{"email":"{{email}}","password":"{{password}}"}"#),
    ]
    let script = [PostmanItem.requireStatus(200), PostmanSecrets.set("token", to: ["token"])]
    return ["name": "Log in", "event": [PostmanItem.test(script)], "request": request, "response": []]
  }
}
