import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import NovaWebSocket
import Testing

/// Connections through the proxy of the environment. Each test runs in a separate process, which has its own
/// environment.
@Suite(.hangLimit) struct ProxyTests {
  private static let url: HTTPURL = "http://nova.invalid/events/ws"

  @Test func aProxyIsAskedForATunnel() async {
    await #expect(processExitsWith: .success) {
      try await withRawServer({ connection in
        guard try connection.readRequest() != nil else { return }
        try connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
        // The proxy only passes bytes on. From here on, the connection acts as the server.
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

  // MARK: The transport's own settings

  @Test func aProxyOfTheOptionsIsAskedForATunnel() async throws {
    try await withRawServer({ connection in
      guard try connection.readRequest() != nil else { return }
      try connection.write("HTTP/1.1 200 Connection established\r\n\r\n")
      try connection.open(RawFrame(text: "through"), RawFrame(close: 1000))
      connection.hang()
    }) { server in
      let proxy = try HTTPProxy(parsing: "http://user:p%40ss@127.0.0.1:\(server.port)")
      let socket = try await WebSocketConnection.connect(
        to: Self.url, limits: quiet, transport: CurlTransport.Options(proxy: proxy))
      #expect(try await socket.receiveAll() == [.text("through")])
      #expect(server.requests.map(\.requestLine) == ["CONNECT nova.invalid:80 HTTP/1.1", "GET /events/ws HTTP/1.1"])
      let authorization = "Basic " + Data("user:p@ss".utf8).base64EncodedString()
      #expect(server.requests.map { $0.header("Proxy-Authorization") } == [authorization, nil])
    }
  }

  @Test func aProxyOfTheOptionsThatRefusesIsNamed() async throws {
    try await withRawServer({ try $0.respondToAll("407 No") }) { server in
      let proxy = try HTTPProxy(parsing: "http://user:s3cret@127.0.0.1:\(server.port)")
      let error = await transportFailure {
        try await WebSocketConnection.connect(
          to: Self.url, limits: quiet, transport: CurlTransport.Options(proxy: proxy))
      }
      #expect(
        error?.message
          == "no connection to nova.invalid:80: the proxy 127.0.0.1:\(server.port) refused it with HTTP 407; "
          + "set the user name and password in the proxy's URL")
      #expect(error?.requestMayHaveLeft == false)
    }
  }

  @Test func connectToReplacesTheServer() async throws {
    try await withRawServer({ try $0.open(RawFrame(close: 1000)) }) { server in
      let entry = try ConnectTo(parsing: "nova.invalid:80:127.0.0.1:\(server.port)")
      let socket = try await WebSocketConnection.connect(
        to: Self.url, limits: quiet, transport: CurlTransport.Options(connectTo: [entry]))
      #expect(try await socket.receiveAll().isEmpty)
      #expect(server.requests.first?.header("Host") == "nova.invalid")
    }
  }

  /// A token may be sent over it to `http://localhost`, as on the network.
  @Test(arguments: ["http://nova.invalid/ws", "http://localhost/ws"] as [HTTPURL])
  func aUnixSocketReachesTheServer(url: HTTPURL) async throws {
    let folder = try TemporaryFolder()
    try await withRawServer({ try $0.open(RawFrame(text: "here"), RawFrame(close: 1000)) }) { server in
      let relay = try RawRelay(path: "\(folder.path)/s", toPort: server.port)
      defer { relay.stop() }
      let socket = try UnixSocket(path: relay.path, for: [url.origin])
      let connection = try await WebSocketConnection.connect(
        to: url, headers: url.origin.isLoopback ? ["Authorization": "Bearer t"] : [:], limits: quiet,
        transport: CurlTransport.Options(unixSocket: socket))
      #expect(try await connection.receiveAll() == [.text("here")])
      #expect(relay.connectionCount == 1)
    }
  }
}
