import NIOCore
import NovaCore
import NovaEvents
import NovaGraph
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

/// Streams of events over sockets.
@Suite(.hangLimit) struct EventServingTests {
  private func stream(_ server: MockServer, _ topic: String = "user:ann") async throws -> ServerStream<Event> {
    let client = try APIClient.test(CurlTransport(), baseURL: server.url, token: nil, clock: ContinuousClock())
    return try await EventService(client: client).streamEvents(StreamEventsRequest(topics: [topic]))
  }

  private func follow(_ backend: MockBackend, _ followee: String) {
    let body = Array(#"{"follower_id":"ann","followee_id":"\#(followee)"}"#.utf8)
    _ = backend.respond(to: HTTPRequest(method: .post, url: "/api/v1/graph/follow", body: body))
  }

  @Test func eventsArriveInOrder() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withServer(backend) { server, _ in
      var events = try await stream(server).makeAsyncIterator()
      for number in 1...100 { follow(backend, "user-\(number)") }
      for number in 1...100 { #expect(try await events.next()?.subjectId == "user-\(number)") }
    }
  }

  @Test func stoppingEndsEveryStreamOnPurpose() async throws {
    let backend = MockBackend(dataSet: .empty)
    let server = try await MockServer(host: "127.0.0.1", port: 0, backend: backend)
    var request = HTTPRequest(
      method: .get, url: try HTTPURL(parsing: "\(server.url)/api/v1/events/stream?topics=user:a"))
    request.streamsResponse = true
    let body = try await CurlTransport().send(request).body
    try await waitUntil { backend.eventSubscriberCount == 1 }
    async let stopped: Void = server.stop()
    let text = String(decoding: try await body.collect(upTo: 1 << 20), as: UTF8.self)
    await stopped
    #expect(text.hasSuffix("event: end\ndata: {\"reason\":\"restart\"}\n\n"), "\(text)")
    #expect(backend.eventSubscriberCount == 0)
  }

  @Test func aClientThatLeavesIsNoticed() async throws {
    let backend = MockBackend(dataSet: .empty)
    try await withServer(backend) { server, _ in
      for _ in 1...3 {
        do {
          let stream = try await stream(server)
          follow(backend, "user-\(backend.counts.follows)")
          for try await _ in stream { break }
        }
        try await waitUntil { backend.eventSubscriberCount == 0 && server.openConnections == 0 }
      }
    }
  }

  /// The limits of other responses would end a quiet stream.
  @Test func aQuietStreamStaysOpen() async throws {
    let limits = ConnectionLimits(
      stall: .milliseconds(50), answer: .milliseconds(50), period: .milliseconds(10))
    let backend = MockBackend(dataSet: .empty, events: MockEventSettings(heartbeat: nil))
    try await withServer(backend, limits: limits) { server, _ in
      var events = try await stream(server).makeAsyncIterator()
      try await Task.sleep(for: .milliseconds(500))
      follow(backend, "bob")
      #expect(try await events.next()?.subjectId == "bob")
    }
  }

  @Test func aClientThatDoesNotReadIsEnded() async throws {
    let limits = ConnectionLimits(stall: .milliseconds(300), period: .milliseconds(50))
    let backend = MockBackend(dataSet: .empty, events: MockEventSettings(history: 100))
    try await withServer(backend, limits: limits) { server, port in
      let client = try HostileClient(port: port, bufferSize: 16 << 10)
      try client.send(Array("GET /api/v1/events/stream?topics=post:p HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      try await waitUntil { backend.eventSubscriberCount == 1 }
      let text = String(repeating: "x", count: 8000)
      for _ in 1...2000 where backend.eventSubscriberCount == 1 {
        try backend.emit(Event(type: "comment.created", postId: "p", text: text))
        try await Task.sleep(for: .milliseconds(1))
      }
      try await waitUntil { backend.eventSubscriberCount == 0 && server.openConnections == 0 }
      #expect(server.heldBytes == 0)
    }
  }

  /// What a page of the inspector reads, as blocks.
  private func inspected(
    _ backend: MockBackend, _ query: String = "", headers: HTTPHeaders = [:], count: Int
  ) async throws -> [String] {
    let url = HTTPURL(received: "/_nova/event-stream\(query)")
    let response = await AdminAPI(backend).respond(to: HTTPRequest(method: .get, url: url, headers: headers))
    #expect(response.status == 200)
    var text = ""
    for try await bytes in response.body {
      text += String(decoding: bytes, as: UTF8.self)
      if text.ranges(of: "\n\n").count >= count { break }
    }
    return text.split(separator: "\n\n").map(String.init)
  }

  @Test func theInspectorGetsEventsWithTheirTopics() async throws {
    let backend = MockBackend(dataSet: .empty)
    for number in 1...3 {
      try backend.emit(
        Event(type: "test.a", actorId: "ann", createdAt: Int64(number)), topics: ["post:\(number)", "me"])
    }
    let epoch = backend.eventPosition.split(separator: ":")[0]
    let all = try await inspected(backend, "?last=200", count: 4)
    #expect(all.count == 4 && all[0].hasPrefix("retry: "))
    #expect(
      all[1].hasPrefix(#"id: \#(epoch):1\#ndata: {"topics":["post:1","me:ann"],"id":"\#(epoch):1","type":"test.a""#),
      "\(all)"
    )
    // A type of its own would be a message that a page cannot wait for.
    #expect(!all.contains { $0.contains("\nevent:") })
    #expect(try await inspected(backend, "?last=1", count: 2)[1].hasPrefix("id: \(epoch):3"))
    #expect(try await inspected(backend, "?after=\(epoch):1", count: 3)[1].hasPrefix("id: \(epoch):2"))
    let resumed = try await inspected(backend, "?last=200", headers: ["Last-Event-ID": "\(epoch):2"], count: 2)
    #expect(resumed[1].hasPrefix("id: \(epoch):3"))
    #expect(try await inspected(backend, "?after=gone:1", count: 2)[1].contains("event: reset"))
    #expect(backend.eventSubscriberCount == 0)
  }

  @Test func inspectorsAreNotCountedAsStreams() async throws {
    let backend = MockBackend(dataSet: .empty)
    let url = HTTPURL(received: "/_nova/event-stream")
    let inspector = await AdminAPI(backend).respond(to: HTTPRequest(method: .get, url: url))
    let subscriber = try backend.subscription(headers: [:])
    #expect(backend.eventSubscriberCount == 1)
    withExtendedLifetime((inspector, subscriber)) {}
  }

  @Test(arguments: ["?last=x", "?last=-1", "?last=10001", "?first=1"])
  func invalidStartsOfTheInspectorsStreamAreRefused(_ query: String) async {
    let url = HTTPURL(received: "/_nova/event-stream\(query)")
    let response = await AdminAPI(MockBackend(dataSet: .empty)).respond(to: HTTPRequest(method: .get, url: url))
    #expect(response.status == 400)
  }

  @Test func theAdminAPISendsAndListsEvents() async throws {
    let backend = MockBackend(dataSet: .empty)
    let admin = AdminAPI(backend)
    func call(_ method: HTTPMethod, _ path: String, body: String = "") async -> HTTPResponse {
      await admin.respond(
        to: HTTPRequest(method: method, url: HTTPURL(received: path), body: Array(body.utf8)))
    }
    let event = #"{"type":"pet.found","post_id":"p","counts":{"like_count":3}}"#
    #expect(await call(.post, "/_nova/events", body: event).status == 201)
    #expect(await call(.post, "/_nova/events", body: #"{"type":"a\nb"}"#).status == 400)
    #expect(await call(.post, "/_nova/events", body: #"{"type":"x","topics":["nowhere"]}"#).status == 400)
    #expect(backend.recentEvents.map(\.type) == ["pet.found"])
    #expect(
      await call(.post, "/_nova/events", body: #"{"events":[{"type":"a"},{"type":"b"}],"topics":["post:p"]}"#).status
        == 201)
    #expect(await call(.post, "/_nova/events", body: #"{"events":[{"type":"c"},{"type":"\n"}]}"#).status == 400)
    #expect(await call(.post, "/_nova/events", body: #"{"events":[],"topics":["post:p"]}"#).status == 400)
    #expect(await call(.post, "/_nova/events", body: #"{"events":[{"type":"c"}],"type":"d"}"#).status == 400)
    #expect(backend.recentEvents.map(\.type) == ["pet.found", "a", "b"])
    let list = try JSONValue(jsonUTF8: await call(.get, "/_nova/events").body.inMemory)
    #expect(list["position"]?.stringValue == backend.eventPosition)
    #expect(await call(.patch, "/_nova/events", body: #"{"history":5,"heartbeat_seconds":0}"#).status == 200)
    #expect(backend.eventSettings == MockEventSettings(history: 5, heartbeat: nil))
    #expect(await call(.post, "/_nova/epoch").status == 200)
    #expect(backend.recentEvents.isEmpty)
    #expect(await call(.delete, "/_nova/streams?reason=too_slow").status == 200)
  }
}
