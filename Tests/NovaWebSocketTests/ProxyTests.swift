import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import NovaWebSocket
import Testing

/// Connections through the proxy of the environment, each in a process of its own, because that has one environment.
@Suite(.hangLimit) struct ProxyTests {
  private static let url: HTTPURL = "http://nova.invalid/events/ws"

  @Test func aProxyIsAskedForATunnel() async {
    await #expect(processExitsWith: .success) {
      try await withRawServer({ connection in
        guard try connection.readRequest() != nil else { return }
        try connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
        // The proxy carries bytes, and reads none of them: from here on, it is the server.
        try connection.open(RawFrame(text: "through"), RawFrame(close: 1000))
        connection.hang()
      }) { server in
        setenv("http_proxy", server.url(""), 1)
        let socket = try await WebSocketConnection.connect(to: ProxyTests.url, limits: quiet)
        let messages = try await socket.receiveAll()
        let lines = server.requests.map(\.requestLine)
        try #require(messages == [.text("through")])
        try #require(lines == ["CONNECT nova.invalid:80 HTTP/1.1", "GET /events/ws HTTP/1.1"], "\(lines)")
        try #require(server.requests.last?.header("Host") == "nova.invalid")
      }
    }
  }

  @Test func aProxyThatRefusesIsNamed() async {
    await #expect(processExitsWith: .success) {
      try await withRawServer({ try $0.respondToAll("502 Bad Gateway") }) { server in
        setenv("http_proxy", server.url(""), 1)
        let error = await transportFailure { try await WebSocketConnection.connect(to: ProxyTests.url, limits: quiet) }
        try #require(error?.requestMayHaveLeft == false, "\(String(describing: error))")
        try #require(server.requests.map(\.requestLine) == ["CONNECT nova.invalid:80 HTTP/1.1"])
      }
    }
  }

  @Test func thisMachineIsReachedWithoutAProxy() async {
    await #expect(processExitsWith: .success) {
      try await withRawServer({ try $0.open(RawFrame(close: 1000)) }) { server in
        setenv("http_proxy", "http://127.0.0.1:9", 1)
        setenv("all_proxy", "http://127.0.0.1:9", 1)
        let socket = try await connect(to: server)
        try #require(try await socket.receiveAll().isEmpty)
      }
    }
  }
}
