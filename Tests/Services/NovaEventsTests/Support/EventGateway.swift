import NovaCore
import NovaEvents
import NovaHTTP
import NovaSupport

/// A gateway that has only events. Its connections fail as a test specifies.
final class EventGateway: HTTPTransport {
  /// How a connection of the stream treats the client.
  struct Plan: Sendable {
    /// The number of bytes that it delivers before it is lost; nil for no limit.
    var limit: Int?
    /// The size of its chunks, in bytes; nil for whole messages.
    var chunkSize: Int?
    /// Whether it sends every event twice, and repeats the last events before the position at which it continues.
    var repeats = false
    /// The text that it sends first.
    var greeting = "retry: 0\n\n: hello\n\n"
    /// The status of the response. Only 200 opens a stream.
    var status = 200
  }

  struct Stream {
    let topics: Set<String>
    var plan: Plan
    var left: Int?
    let chunks: AsyncThrowingStream<[UInt8], any Error>.Continuation
  }

  /// A request that reached the gateway.
  struct Call: Sendable {
    let topics: [String]
    /// The token in the `Authorization` header; nil without the header.
    let token: String?
    let header: String?
  }

  struct State {
    /// The accepted tokens, with their users. If there are any, other tokens are refused, and the topic `me` becomes
    /// `me:<user>`.
    var users: [String: String] = [:]
    var calls: [Call] = []
    var epoch = 1
    var events: [(topics: Set<String>, event: Event)] = []
    /// The number of events at the beginning that the gateway no longer has.
    var forgotten = 0
    var plans: [Plan] = []
    var streams: [Int: Stream] = [:]
    var nextID = 0
    /// All requests, in order: `list topics after`, `stream topics after`.
    var requests: [String] = []
    var listFailure: HTTPResponse?
    /// The number of requests that got `listFailure`.
    var failedLists = 0
    /// The refused topics, and the status of the response.
    var refused: [String: Int] = [:]
    /// The IDs of events that are unreadable in pages.
    var unreadable: Set<String> = []
  }

  let state = Locked(State())
  /// The streams whose readers were cancelled. They have their own lock: a cancellation holds the lock of the reader's
  /// task, and an event, sent under the lock of `state`, may resume the same task.
  private let cancelled = Locked<Set<Int>>([])

  /// - Parameter plans: one for each connection of the stream, in order. Later connections have no faults.
  init(plans: [Plan] = []) { state.withLock { $0.plans = plans } }

  var requests: [String] { state.withLock { $0.requests } }
  var openStreams: Int {
    state.withLock { state in
      let cancelled = cancelled.withLock { $0 }
      return state.streams.keys.count { !cancelled.contains($0) }
    }
  }
  var calls: [Call] { state.withLock { $0.calls } }
  var now: String { state.withLock { $0.now } }

  /// Adds an event, and sends it to the open streams of its topics.
  @discardableResult
  func emit(_ topics: String..., type: String = "like.created", change: (inout Event) -> Void = { _ in }) -> String {
    state.withLock { state in
      var event = Event(id: "\(state.epoch):\(state.events.count + 1)", type: type)
      for topic in topics where topic.hasPrefix("post:") { event.postId = String(topic.dropFirst(5)) }
      for topic in topics where topic.hasPrefix("user:") { event.subjectId = String(topic.dropFirst(5)) }
      event.text = "line one\nline two ✓ \(state.events.count)"
      change(&event)
      state.events.append((Set(topics), event))
      for (id, stream) in state.streams where !stream.topics.isDisjoint(with: topics) {
        for _ in 0..<(stream.plan.repeats ? 2 : 1) { state.send(Self.frame(event), to: id) }
      }
      return event.id
    }
  }

  /// Loses the history, as in a restart.
  func beginEpoch() {
    state.withLock { state in
      state.epoch += 1
      state.forgotten = state.events.count
    }
  }

  /// Ends the open streams after sending a text, by default like a server that restarts.
  func endStreams(_ text: String = "event: end\ndata: {\"reason\":\"restart\"}\n\n") {
    state.withLock { state in
      for (id, _) in state.streams {
        state.send(text, to: id)
        state.streams[id]?.chunks.finish()
        state.streams[id] = nil
      }
    }
  }

  func send(text: String) { state.withLock { state in for id in state.streams.keys { state.send(text, to: id) } } }

  // MARK: HTTPTransport

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    try Task.checkCancellation()
    if request.url.path.hasSuffix("/list") { return try list(request) }
    return stream(request)
  }

  func shutdown() async {}

  private func list(_ request: HTTPRequest) throws -> HTTPResponse {
    let message = try ListEventsRequest(jsonUTF8: request.body.bytes ?? [])
    return try state.withLock { state in
      state.requests.append("list \(message.topics.joined(separator: ",")) after \(message.after)")
      if let failure = state.listFailure {
        state.failedLists += 1
        return failure
      }
      if let refusal = state.refusal(of: message.topics) { return refusal }
      guard let topics = state.admit(request, message.topics) else { return Self.unauthorized }
      let limit = message.limit == 0 ? 100 : message.limit
      guard !message.after.isEmpty else {
        return try Self.response(ListEventsResponse(nextAfter: state.now, isComplete: true))
      }
      guard let start = state.index(after: message.after) else {
        let rest = state.events[state.forgotten...].filter { !$0.topics.isDisjoint(with: topics) }.map(\.event)
        return try Self.response(
          ListEventsResponse(events: rest, nextAfter: rest.last?.id ?? state.now, isComplete: false))
      }
      let all = state.events[start...].filter { !$0.topics.isDisjoint(with: topics) }.map(\.event)
      let page = Array(all.prefix(limit))
      let hasMore = all.count > page.count
      if page.contains(where: { state.unreadable.contains($0.id) }) {
        return HTTPResponse(
          status: 200, headers: ["Content-Type": "application/json"], body: Array(#"{"events":[7]}"#.utf8))
      }
      return try Self.response(
        ListEventsResponse(
          events: page, nextAfter: hasMore ? page.last?.id ?? "" : state.now, hasMore: hasMore, isComplete: true))
    }
  }

  private func stream(_ request: HTTPRequest) -> HTTPResponse {
    let pairs = PercentEncoding.pairs(request.url.query ?? "")
    let topics = pairs.filter { $0.name == "topics" }.map(\.value)
    let after = request.headers["Last-Event-ID"] ?? ""
    let (chunks, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    let status = state.withLock { state in
      state.requests.append("stream \(topics.sorted().joined(separator: ",")) after \(after)")
      let plan = state.plans.isEmpty ? Plan() : state.plans.removeFirst()
      guard plan.status == 200 else { return plan.status }
      if let refusal = state.refusal(of: topics) { return refusal.status }
      guard let topics = state.admit(request, topics) else { return Self.unauthorized.status }
      state.nextID += 1
      let id = state.nextID
      state.streams[id] = Stream(topics: Set(topics), plan: plan, left: plan.limit, chunks: continuation)
      continuation.onTermination = { [weak self] reason in
        if case .cancelled = reason { self?.cancelled.withLock { _ = $0.insert(id) } }
      }
      state.send(plan.greeting, to: id)
      let followed = Set(topics)
      if let start = state.index(after: after) {
        let repeated = plan.repeats ? max(state.forgotten, start - 3) : start
        for (topics, event) in state.events[repeated...] where !topics.isDisjoint(with: followed) {
          state.send(Self.frame(event), to: id)
        }
      } else {
        state.send("event: reset\ndata: {\"id\":\"\(state.now)\"}\n\n", to: id)
      }
      return 200
    }
    guard status == 200 else { return HTTPResponse(status: status, headers: [:], body: []) }
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "text/event-stream"], body: .stream(HTTPBodyStream(chunks)))
  }

  private static let unauthorized = HTTPResponse(status: 401, headers: [:], body: [])

  private static func response(_ message: ListEventsResponse) throws -> HTTPResponse {
    HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: try message.jsonUTF8())
  }

  static func frame(_ event: Event) -> String {
    let json = (try? event.jsonUTF8()).map { String(decoding: $0, as: UTF8.self) } ?? "?"
    return "id: \(event.id)\nevent: \(event.type)\ndata: \(json)\n\n"
  }
}

extension EventGateway.State {
  var now: String { "\(epoch):\(events.count)" }

  /// The topics of a request as its caller means them; nil if its token is refused.
  mutating func admit(_ request: HTTPRequest, _ topics: [String]) -> [String]? {
    let header = request.headers["Authorization"]
    let token = header.map { String($0.dropFirst("Bearer ".count)) }
    calls.append(EventGateway.Call(topics: topics, token: token, header: request.headers["X-Tenant"]))
    if users.isEmpty { return topics }
    guard let token else { return topics.contains("me") ? nil : topics }
    guard let user = users[token] else { return nil }
    return topics.map { $0 == "me" ? "me:\(user)" : $0 }
  }

  func refusal(of topics: [String]) -> HTTPResponse? {
    topics.compactMap { refused[$0] }.max().map { HTTPResponse(status: $0, headers: [:], body: []) }
  }

  /// The index of the first event after a position; nil if the gateway no longer has the position.
  func index(after position: String) -> Int? {
    let parts = position.split(separator: ":")
    guard parts.count == 2, let offset = Int(parts[1]), parts[0] == "\(epoch)" else { return nil }
    return offset >= forgotten && offset <= events.count ? offset : nil
  }

  mutating func send(_ text: String, to id: Int) {
    guard var stream = streams[id] else { return }
    var bytes = Array(text.utf8)
    let isLost = stream.left.map { $0 < bytes.count } ?? false
    if let left = stream.left {
      bytes = Array(bytes.prefix(left))
      stream.left = left - bytes.count
    }
    streams[id] = stream
    let size = stream.plan.chunkSize ?? max(1, bytes.count)
    for start in Swift.stride(from: 0, to: bytes.count, by: size) {
      stream.chunks.yield(Array(bytes[start..<min(bytes.count, start + size)]))
    }
    guard isLost else { return }
    streams[id] = nil
    stream.chunks.finish(throwing: TransportError(.connectionLost, "lost", requestMayHaveLeft: true))
  }
}
