import NovaCapture
import NovaCore
import NovaEvents
import NovaTestSupport
import NovaTesting
import Testing

/// Streams and lists as gateways without grpc-gateway's forms send them; those of Envoy are recorded from Envoy 1.40.
@Suite(.hangLimit) struct GatewayStreamTests {
  private static let event =
    #"{"id":"e:0","type":"post.updated","actorId":"u1","postId":"p1","counts":{"like_count":"1099511627776"},"createdAt":"1700000000"}"#
  private static let other = #"{"id":"e:1","type":"post.updated"}"#

  static let streams: [(type: String, body: String)] = [
    ("application/json", "[\(event),\(other)]"), ("application/json", "\(event)\n\(other)\n"),
    ("text/event-stream", "data: \(event)\n\ndata: \(other)\n\n"),
    ("application/json", "{\"result\":\(event)}\n{\"result\":\(other)}\n"),
    ("text/event-stream", "data: {\"result\":\(event)}\n\ndata: {\"result\":\(other)}\n\n"),
  ]

  private func events(
    _ type: String, _ body: String, trailers: [String] = [], head: [String] = []
  ) async throws -> (events: [Event], error: APIError?) {
    let script: RawServer.Script = { connection in
      while try connection.readRequest() != nil {
        let head = ["HTTP/1.1 200 OK", "Content-Type: \(type)", "Transfer-Encoding: chunked"] + head
        try connection.write(head.joined(separator: "\r\n") + "\r\n\r\n")
        if !body.isEmpty { try connection.write("\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n") }
        try connection.write("0\r\n" + trailers.map { "\($0)\r\n" }.joined() + "\r\n")
      }
    }
    let events = Locked<[Event]>([])
    let error = Locked<APIError?>(nil)
    try await withTransport(to: script) { transport, server in
      let client = try APIClient.test(transport, baseURL: server.url(""))
      do {
        let stream = try await client.stream(EventRPC.streamEvents, StreamEventsRequest(topics: ["post:p1"]))
        for try await event in stream { events.withLock { $0.append(event) } }
      } catch let failure as APIError { error.withLock { $0 = failure } }
    }
    return (events.withLock { $0 }, error.withLock { $0 })
  }

  @Test(arguments: streams) func everyFormIsRead(_ stream: (type: String, body: String)) async throws {
    let (events, error) = try await events(stream.type, stream.body)
    #expect(events.map(\.id) == ["e:0", "e:1"] && error == nil, "\(stream): \(String(describing: error))")
    #expect(events.first?.counts == ["like_count": 1_099_511_627_776] && events.first?.createdAt == 1_700_000_000)
  }

  /// Behind the messages, only the trailers tell that the call has failed.
  @Test(arguments: streams) func aFailureInTheTrailersIsNoEnd(_ stream: (type: String, body: String)) async throws {
    let trailers = ["grpc-status: 14", "grpc-message: mitten drin %E2%80%9Ex%E2%80%9C"]
    let (events, error) = try await events(stream.type, stream.body, trailers: trailers)
    #expect(events.map(\.id) == ["e:0", "e:1"])
    #expect(error?.code == .unavailable && error?.server?.message == "mitten drin „x“", "\(String(describing: error))")
    let whole = try await self.events(stream.type, stream.body, trailers: ["grpc-status: 0", "X-Other: 1"])
    #expect(whole.events.count == 2 && whole.error == nil)
  }

  /// The code decides, and never a status that nobody sent.
  @Test(arguments: [
    (#"{"code":7,"message":"denied"}"#, APIError.Code.permissionDenied), (#"{"detail":"no"}"#, .invalidResponse),
    (#"{"error":{"code":"PERMISSION_DENIED","message":"denied"}}"#, .permissionDenied),
    (#"{"error":{"code":7,"message":"denied"}}"#, .permissionDenied), (#"{"error":"x"}"#, .serverError),
    (#"{"error":{"grpc_code":14,"http_code":503,"message":"x"}}"#, .unavailable),
    (#"{"title":"Service Unavailable","status":503}"#, .invalidResponse),
    (#"{"message":"Forbidden"}"#, .invalidResponse),
    (#"{"result":{"detail":"no"}}"#, .invalidResponse), (#"{"success":false}"#, .failedPrecondition),
  ])
  func aFailureInPlaceOfAMessageIsNoMessage(_ body: String, _ code: APIError.Code) async throws {
    for (type, text) in [
      ("application/json", "\(Self.event)\n\(body)\n"), ("application/json", "[\(Self.event),\(body)]"),
      ("text/event-stream", "data: \(Self.event)\n\ndata: \(body)\n\n"),
    ] {
      let (events, error) = try await events(type, text)
      #expect(events.map(\.id) == ["e:0"] && error?.code == code, "\(type) \(body): \(String(describing: error))")
      #expect(error?.httpStatus == 200 && error?.rpc == "event.StreamEvents", "\(String(describing: error))")
    }
  }

  /// What has no messages by its type does not look like a stream that ends.
  @Test(arguments: [
    ("text/html", "<html>"), ("text/plain", ""), ("application/problem+json", #"{"title":"x"}"#), ("image/png", ""),
  ])
  func anotherTypeIsNoStream(_ type: String, _ body: String) async throws {
    let (events, error) = try await events(type, body)
    #expect(events.isEmpty && error?.code == .invalidResponse, "\(String(describing: error))")
    #expect(error?.isFromAnotherServer == true && error?.message.contains(type) == true)
  }

  /// grpc-gateway's and Envoy's streams without a message.
  @Test func aStreamCanEndWithoutAMessage() async throws {
    for (type, body) in [("application/json", ""), ("application/json", "[]"), ("text/event-stream", "")] {
      let (events, error) = try await events(type, body)
      #expect(events.isEmpty && error == nil, "\(String(describing: error))")
    }
  }

  @Test func aFailureInTheHeadIsNoEmptyStream() async throws {
    for type in ["application/json", "text/event-stream"] {
      let (events, error) = try await events(type, type == "application/json" ? "[]" : "", head: ["grpc-status: 7"])
      #expect(events.isEmpty && error?.code == .permissionDenied, "\(String(describing: error))")
    }
  }

  /// A call's trailers count as its header fields: the body is there by then.
  @Test func aFailureInTheTrailersOfACallIsAFailure() async throws {
    let script: RawServer.Script = { connection in
      while try connection.readRequest() != nil {
        try connection.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
        try connection.write("2\r\n{}\r\n0\r\nGrpc-Status: 5\r\ngrpc-message: gone\r\n\r\n")
      }
    }
    try await withTransport(to: script) { transport, server in
      let client = try APIClient.test(transport, baseURL: server.url(""))
      let error = await apiError { try await client.call(CaptureRPC.getSomething, GetSomethingRequest(id: 1)) }
      #expect(error?.code == .notFound && error?.server?.message == "gone", "\(String(describing: error))")
    }
  }

  // MARK: response_body

  private func somethings(_ body: String) async throws -> [Int64] {
    let client = try APIClient.test(RecordingTransport(body))
    return try await client.call(CaptureRPC.listSomethings, ListSomethingsRequest(limit: 5)).somethings.map(\.id)
  }

  @Test func aListInAnObjectIsTheList() async throws {
    for body in [
      #"[{"id":2},{"id":1}]"#, #"{"somethings":[{"id":"2"},{"id":"1"}]}"#,
      #" {"somethings":[{"id":2},{"id":1}],"n":5}"#,
    ] {
      #expect(try await somethings(body) == [2, 1], "\(body)")
    }
    for body in ["[]", "{}", #"{"somethings":[]}"#, #"{"somethings":null}"#] {
      #expect(try await somethings(body) == [])
    }
  }

  /// Other objects are no list, least of all an empty one.
  @Test(arguments: [
    #"{"items":[{"id":1}]}"#, #"{"data":[]}"#, #"{"id":1}"#, #"{"somethings":{"id":1}}"#, #"{"somethings":"x"}"#,
    #"{"somethings":[1]}"#, "{", #"{"Somethings":[]}"#, #"{"detail":"no"}"#,
  ])
  func anotherObjectIsNoList(_ body: String) async throws {
    let error = await apiError { try await somethings(body) }
    #expect(error?.code == .decodingError, "\(body): \(String(describing: error))")
  }

  @Test func aFailureInPlaceOfAListIsAFailure() async throws {
    for body in [#"{"somethings":[],"error":{"code":"NOT_FOUND","message":"x"}}"#, #"{"code":5,"message":"x"}"#] {
      let error = await apiError { try await somethings(body) }
      #expect(error?.code == .notFound, "\(body): \(String(describing: error))")
    }
  }
}
