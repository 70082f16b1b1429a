import NovaCore
import NovaEvents
import NovaTestSupport
import NovaTesting
import Testing

/// What a subscription requests when an event stream has ended.
@Suite(.hangLimit) struct ReconnectionOverServerSentEventsTests {
  /// A gateway that sends these streams one after the other. The last one stays open.
  private static func gateway(_ streams: [String]) -> RawServer.Script {
    let rest = Locked(streams[...])
    return { connection in
      while let request = try connection.readRequest() {
        guard request.requestLine.contains("/stream") else {
          try connection.respond(
            headers: ["Content-Type: application/json"],
            body: Array(#"{"events":[],"next_after":"0","has_more":false,"is_complete":true}"#.utf8))
          continue
        }
        let (stream, isLast) = rest.withLock { rest in (rest.popFirst() ?? "", rest.isEmpty) }
        try connection.write("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n")
        try connection.write("retry: 0\n\n\(stream)")
        if isLast { connection.hang() }
        return
      }
    }
  }

  /// Reads `count` events of a subscription to a gateway.
  ///
  /// - Returns: the IDs of the events, and the `Last-Event-ID` of each stream's request.
  private func follow(_ streams: [String], _ count: Int) async throws -> (ids: [String], sent: [String?]) {
    try await withTransport(to: Self.gateway(streams)) { transport, server in
      let client = try APIClient.test(transport, baseURL: server.url(""), clock: ContinuousClock())
      var ids: [String] = []
      for try await update in EventService(client: client).subscribe(topics: ["post:1"]) {
        if case .event(let event) = update { ids.append(event.id) }
        if ids.count == count { break }
      }
      let sent = server.requests.filter { $0.requestLine.contains("/stream") }.map { $0.header("Last-Event-ID") }
      await client.shutdown(grace: .zero)
      return (ids, sent)
    }
  }

  private func event(_ id: String?) -> String { "\(id.map { "id: \($0)\n" } ?? "")data: {\"type\":\"x\"}\n\n" }

  @Test(
    arguments: [
      ("the id of the last event", ["id: a\ndata: {\"type\":\"x\"}\n\n"], "a"),
      ("an id without an event", ["id: a\ndata: {\"type\":\"x\"}\n\nid: b\n\n"], "b"),
      ("an id that is not ASCII", ["id: …\ndata: {\"type\":\"x\"}\n\n"], "…"),
      ("an id with a null is none", ["id: a\ndata: {\"type\":\"x\"}\n\nid: b\0\n\n"], "a"),
      ("an incomplete event does not count", ["id: a\ndata: {\"type\":\"x\"}\n\nid: b\ndata: {\"type\":\"x\"}"], "a"),
      ("an empty id keeps the position", ["id: a\ndata: {\"type\":\"x\"}\n\nid:\n\n"], "a"),
    ] as [(String, [String], String)])
  func theNextConnectionGoesOnBehindTheLastID(name: String, streams: [String], id: String) async throws {
    let (ids, sent) = try await follow(streams + [event("z")], 2)
    #expect(ids == [streams[0].contains("…") ? "…" : "a", "z"], "\(name)")
    #expect(sent == ["0", id], "\(name)")
  }

  @Test func aThirdConnectionWorksAsTheSecondDoes() async throws {
    let (ids, sent) = try await follow([event("a"), event("b") + event("b"), event("a") + event("c")], 3)
    #expect(ids == ["a", "b", "c"], "and what is repeated comes once")
    #expect(sent == ["0", "a", "b"])
  }
}
