import NovaCore
import Testing

@testable import NovaCLI

@Suite struct MCPMessageTests {
  /// What a message is, in a few words.
  private func kind(_ text: String) throws -> String {
    switch MCPMessage(try JSONValue(jsonUTF8: Array(text.utf8))) {
    case .request(let request): "request \(request.key) \(request.method)"
    case .notification(let method, _): "notification \(method)"
    case .response: "response"
    case .invalid(let error, let id): "\(error.code) \(MCPRequest.key(id))"
    }
  }

  @Test(arguments: [
    (#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#, "request 1 ping"),
    (#"{"jsonrpc":"2.0","id":"1","method":"ping","params":{}}"#, #"request "1" ping"#),
    (#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#, "notification notifications/initialized"),
    (#"{"jsonrpc":"2.0","id":1,"result":{}}"#, "response"),
    (#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}"#, "response"),
    (#"{"id":1,"method":"ping"}"#, "-32600 1"), (#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#, "-32600 1"),
    (#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, "-32600 null"),
    (#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, "-32600 null"),
    (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, "-32600 null"),
    (#"{"jsonrpc":"2.0","id":1,"method":7}"#, "-32600 1"), (#"{"jsonrpc":"2.0","id":1}"#, "-32600 1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}"#, "-32602 1"),
    (#"{"jsonrpc":"2.0","id":1,"method":"ping","params":null}"#, "-32602 1"),
    ("7", "-32600 null"), ("null", "-32600 null"), (#""ping""#, "-32600 null"), ("{}", "-32600 null"),
  ]) func messagesAreRead(_ text: String, _ expected: String) throws {
    #expect(try kind(text) == expected)
  }

  @Test(arguments: [
    ("2024-11-05", MCPVersion.november2024), ("2025-03-26", .march2025), ("2025-06-18", .june2025),
    ("2030-01-01", .latest), ("", .latest), ("x", .latest),
  ]) func theVersionIsNegotiated(_ requested: String, _ expected: MCPVersion) {
    #expect(MCPVersion.negotiated(requested) == expected)
  }
}
