import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaEvents

/// Event streams over HTTP: the request, redirects, the media type, and responses that end a subscription.
@Suite(.hangLimit) struct ServerSentEventConnectorTests {
  private func connect(
    _ server: RawServer, _ transport: CurlTransport, after position: String = "1:1",
    headers: HTTPHeaders = [:]
  ) async throws -> any EventConnection {
    let client = try APIClient.test(transport, baseURL: server.url(""))
    let connector = ServerSentEventConnector(client: client, options: CallOptions(headers: headers))
    return try await connector.connect(to: ["post:1"], after: position)
  }

  private static func answer(
    _ headers: [String], _ body: String = "", status: String = "200 OK"
  ) -> RawServer.Script {
    { connection in
      while try connection.readRequest() != nil {
        try connection.respond(status, headers: headers, body: Array(body.utf8))
      }
    }
  }

  @Test func theRequestIsOneForEvents() async throws {
    try await withTransport(to: Self.answer(["Content-Type: text/event-stream"])) { transport, server in
      _ = try await connect(server, transport, after: "abc")
      _ = try await connect(server, transport, after: "…", headers: ["X-One": "1", "X-Two": "2"])
      let requests = server.requests
      #expect(requests.map(\.requestLine).allSatisfy { $0.hasPrefix("GET /api/v1/events/stream?topics=post") })
      #expect(requests.allSatisfy { $0.header("Accept")?.hasPrefix("text/event-stream") == true })
      #expect(requests.allSatisfy { $0.header("Cache-Control") == "no-cache" })
      #expect(requests.map { $0.header("Last-Event-ID") } == ["abc", "…"])
      #expect(requests.last?.header("X-One") == "1" && requests.last?.header("X-Two") == "2")
    }
  }

  @Test(arguments: [
    "text/event-stream", "text/event-stream;", "text/event-stream;charset=windows-1252", "Text/Event-Stream",
  ])
  func theMediaTypeIsThatOfEvents(_ type: String) async throws {
    try await withTransport(to: Self.answer(["Content-Type: \(type)"], "id: 1:2\n\ndata: ok…\n\n")) {
      transport, server in
      let connection = try await connect(server, transport)
      #expect(try await connection.messages().first?.position == "1:2")
    }
  }

  @Test(arguments: ["text/x-bogus", "x bogus", "text/html", "text/event-streams"])
  func anotherMediaTypeIsRefused(_ type: String) async throws {
    try await withTransport(to: Self.answer(["Content-Type: \(type)"], "data: no\n\n")) { transport, server in
      let error = await apiError { try await connect(server, transport) }
      #expect(error?.code == .invalidResponse && error?.message.contains(type) == true, "\(String(describing: error))")
    }
  }

  private static func chunked(_ type: String, _ body: String) -> RawServer.Script {
    { connection in
      while try connection.readRequest() != nil {
        try connection.write("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nTransfer-Encoding: chunked\r\n\r\n")
        try connection.write("\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n0\r\n\r\n")
      }
    }
  }

  /// Lists and lines of JSON, as Envoy's transcoder sends them.
  @Test(arguments: [
    ("application/json", #"[{"id":"1:2","type":"a"},{"id":"1:3","postId":"p"}]"#),
    ("application/json; charset=utf-8", #"{"id":"1:2"}"# + "\n" + #"{"id":"1:3"}"# + "\n"),
    ("application/x-ndjson", #"{"result":{"id":"1:2"}}"# + "\n" + #"{"result":{"id":"1:3"}}"# + "\n"),
  ])
  func aStreamOfJSONIsOneOfEvents(type: String, body: String) async throws {
    try await withTransport(to: Self.chunked(type, body)) { transport, server in
      let connection = try await connect(server, transport)
      #expect(try await connection.messages().map(\.eventID) == ["1:2", "1:3"])
    }
  }

  /// JSON without an event does not come from a gateway.
  @Test(arguments: [#"{"status":"ok"}"#, "[{}]", #"["x"]"#]) func otherJSONIsNoEvent(_ body: String) async throws {
    try await withTransport(to: Self.chunked("application/json", body)) { transport, server in
      let connection = try await connect(server, transport)
      let error = await apiError {
        try await connection.read { message in
          guard case .tooLarge = message else { return }
          throw APIError(.invalidResponse, "unreadable")
        }
      }
      #expect(error?.code == .invalidResponse, "\(body): \(String(describing: error))")
    }
  }

  @Test func noContentEndsItForGood() async throws {
    try await withTransport(to: Self.answer([], status: "204 No Content")) { transport, server in
      let error = await apiError { try await connect(server, transport) }
      #expect(error?.code == .failedPrecondition && error?.isPassing == false, "\(String(describing: error))")
    }
  }

  @Test(arguments: ["301 Moved Permanently", "307 Temporary Redirect"])
  func redirectsAreFollowed(_ status: String) async throws {
    let script: RawServer.Script = { connection in
      while let request = try connection.readRequest() {
        if request.requestLine.contains(" /there") {
          try connection.respond(headers: ["Content-Type: text/event-stream"], body: Array("id: 1:2\n\n".utf8))
        } else {
          try connection.respond(status, headers: ["Location: /there"])
        }
      }
    }
    try await withTransport(to: script) { transport, server in
      let connection = try await connect(server, transport)
      #expect(try await connection.messages().first?.position == "1:2")
      #expect(server.requests.last?.header("Last-Event-ID") == "1:1")
    }
  }

  @Test(arguments: ["301 Moved Permanently", "307 Temporary Redirect"], [["Location:"], []])
  func redirectsToNowhereFail(_ status: String, _ headers: [String]) async throws {
    try await withTransport(to: Self.answer(headers, status: status)) { transport, server in
      let error = await apiError { try await connect(server, transport) }
      #expect(error != nil)
      #expect(server.requests.count == 1)
    }
  }

  @Test func whatIsNotCompleteAtTheEndIsLeftOut() async throws {
    let body = "retry: 7\n: alive\n\nid: 1:2\n\nid:\n\nid: 1:3\ndata: {}"
    try await withTransport(to: Self.answer(["Content-Type: text/event-stream"], body)) { transport, server in
      let messages = try await connect(server, transport).messages()
      // An empty ID does not change the position.
      #expect(messages.map(\.shown) == ["retry 0.007 seconds", "alive", "position 1:2", "alive"])
    }
  }
}

extension EventConnection {
  /// The messages that the connection delivers until it ends.
  fileprivate func messages() async throws -> [EventMessage] {
    let messages = Locked<[EventMessage]>([])
    try await read { message in messages.withLock { $0.append(message) } }
    return messages.withLock { $0 }
  }
}

extension EventMessage {
  fileprivate var position: String? {
    guard case .position(let position) = self else { return nil }
    return position
  }

  fileprivate var eventID: String? {
    guard case .event(let event) = self else { return nil }
    return event.id
  }

  fileprivate var shown: String {
    switch self {
    case .alive: "alive"
    case .position(let position): "position \(position)"
    case .retry(let wait): "retry \(wait)"
    default: "\(self)"
    }
  }
}
