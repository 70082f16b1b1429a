import NovaCore
import NovaEvents
import NovaTestSupport
import NovaTesting

/// A gateway on real sockets that has only events. Its connections, over server-sent events and over WebSocket, fail as
/// a test specifies.
final class FaultyGateway: Sendable {
  enum Failure: Sendable {
    case lost, reset
    /// The connection stays open, but nothing arrives.
    case silence
  }

  /// How an event connection treats the client.
  struct Plan: Sendable {
    /// The number of bytes that it delivers before it fails, including the head of its response; nil for no limit.
    var limit: Int?
    var failure = Failure.lost
    /// The size of its writes, in bytes; nil for whole messages.
    var chunkSize: Int?
    /// Whether it sends every event twice, and repeats the last events before the position at which it continues.
    var repeats = false
  }

  fileprivate struct Line {
    let connection: RawConnection
    let isWebSocket: Bool
    let plan: Plan
    var topics: Set<String>
    var sent = 0
  }

  fileprivate struct State {
    var epoch = 1
    var events: [(topics: Set<String>, event: Event)] = []
    /// The number of events at the beginning that the gateway no longer has.
    var forgotten = 0
    var plans: [Plan] = []
    var lines: [Int: Line] = [:]
    var lineCount = 0
    var sent = 0
  }

  private let state = Locked(State())

  /// The number of event connections so far, and of open ones.
  var lineCount: Int { state.withLock { $0.lineCount } }
  var openLines: Int { state.withLock { $0.lines.count } }
  /// The number of bytes that all event connections have delivered.
  var sent: Int { state.withLock { $0.sent } }

  /// The IDs of all events of the topics, in order.
  func ids(of topics: [String]) -> [String] { state.withLock { $0.events(of: Set(topics), from: 0).map(\.id) } }

  /// Sets how the next event connections fail, in order. Later connections have no faults.
  func plan(_ plans: [Plan]) { state.withLock { $0.plans = plans } }

  /// Adds an event, and sends it to the open connections of its topics.
  @discardableResult
  func emit(_ topic: String, type: String = "like.created") -> String {
    state.withLock { state in
      var event = Event(id: "\(state.epoch):\(state.events.count + 1)", type: type)
      event.postId = String(topic.dropFirst("post:".count))
      event.text = "line one\nline two ✓"
      state.events.append(([topic], event))
      for (id, line) in state.lines where line.topics.contains(topic) {
        for _ in 0..<(line.plan.repeats ? 2 : 1) { state.send(event, to: id) }
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

  /// Ends the open connections: on purpose like a server that restarts, or without a message.
  func endLines(onPurpose isOnPurpose: Bool = true) {
    state.withLock { state in
      for (id, line) in state.lines {
        if isOnPurpose {
          let end = "event: end\ndata: {\"reason\":\"restart\"}\n\n"
          state.send(line.isWebSocket ? RawFrame(close: 1012).bytes : Array(end.utf8), to: id)
        }
        line.connection.cut()
        state.lines[id] = nil
      }
    }
  }

  /// Serves one connection.
  var script: RawServer.Script {
    { [self] connection in
      while let request = try connection.readRequest() {
        if request.requestLine.contains("/events/list") {
          try connection.respond(headers: ["Content-Type: application/json"], body: try list(request))
        } else if request.requestLine.contains("/events/ws") {
          return try serveWebSocket(request, connection)
        } else {
          return serveStream(request, connection)
        }
      }
    }
  }

  private func list(_ request: RawRequest) throws -> [UInt8] {
    let message = try ListEventsRequest(jsonUTF8: request.body)
    let response = state.withLock { state in
      guard !message.after.isEmpty else { return ListEventsResponse(nextAfter: state.now, isComplete: true) }
      let start = state.index(after: message.after)
      let events = state.events(of: Set(message.topics), from: start ?? state.forgotten)
      return ListEventsResponse(events: events, nextAfter: state.now, isComplete: start != nil)
    }
    return try response.jsonUTF8()
  }

  // MARK: Event connections

  private func serveStream(_ request: RawRequest, _ connection: RawConnection) {
    let target = request.requestLine.split(separator: " ")[1]
    let pairs = PercentEncoding.pairs(String(target.drop { $0 != "?" }.dropFirst()))
    let topics = Set(pairs.filter { $0.name == "topics" }.map(\.value))
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\nretry: 0\n\n"
    let id = state.withLock { state in
      let id = state.open(connection, isWebSocket: false, topics)
      state.send(Array(head.utf8), to: id)
      state.resume(topics, after: request.header("Last-Event-ID") ?? "", on: id)
      return id
    }
    connection.hang()
    state.withLock { $0.lines[id] = nil }
  }

  private func serveWebSocket(_ request: RawRequest, _ connection: RawConnection) throws {
    let response = try handshakeResponse(to: request, headers: ["Sec-WebSocket-Protocol: nova.events.v1"])
    let id = state.withLock { state in
      let id = state.open(connection, isWebSocket: true, [])
      state.send(response, to: id)
      return id
    }
    defer { state.withLock { $0.lines[id] = nil } }
    let reader = FrameReader(connection)
    while let frame = reader.next() {
      switch frame.opcode {
      case RawFrame.close: return
      case RawFrame.ping: state.withLock { $0.send(RawFrame(RawFrame.pong, frame.payload).bytes, to: id) }
      default: answer(try JSONValue(jsonUTF8: frame.payload), on: id)
      }
    }
  }

  private func answer(_ message: JSONValue, on id: Int) {
    state.withLock { state in
      if message["ping"] != nil { state.send(RawFrame(text: #"{"pong":1}"#).bytes, to: id) }
      guard let topics = message["subscribe"]?.elements?.compactMap(\.stringValue) else { return }
      state.lines[id]?.topics.formUnion(topics)
      state.send("subscribed", topics, to: id)
      state.resume(Set(topics), after: message["after"]?.stringValue ?? "", on: id)
    }
  }
}

extension FaultyGateway.State {
  fileprivate var now: String { "\(epoch):\(events.count)" }

  /// The index of the first event after a position; nil if the gateway no longer has the position.
  fileprivate func index(after position: String) -> Int? {
    let parts = position.split(separator: ":")
    guard parts.count == 2, let offset = Int(parts[1]), parts[0] == "\(epoch)" else { return nil }
    return offset >= forgotten && offset <= events.count ? offset : nil
  }

  fileprivate func events(of topics: Set<String>, from start: Int) -> [Event] {
    events[start...].filter { !$0.topics.isDisjoint(with: topics) }.map(\.event)
  }

  fileprivate mutating func open(_ connection: RawConnection, isWebSocket: Bool, _ topics: Set<String>) -> Int {
    lineCount += 1
    let plan = plans.isEmpty ? FaultyGateway.Plan() : plans.removeFirst()
    lines[lineCount] = FaultyGateway.Line(
      connection: connection, isWebSocket: isWebSocket, plan: plan, topics: topics)
    return lineCount
  }

  /// Sends the events after a position, or that the position is gone.
  fileprivate mutating func resume(_ topics: Set<String>, after position: String, on id: Int) {
    guard let line = lines[id] else { return }
    guard let start = index(after: position) else {
      if line.isWebSocket { return send("reset", topics.sorted(), to: id) }
      return send(Array("event: reset\ndata: {\"id\":\"\(now)\"}\n\n".utf8), to: id)
    }
    let first = line.plan.repeats ? max(forgotten, start - 3) : start
    for event in events(of: topics, from: first) { send(event, to: id) }
  }

  fileprivate mutating func send(_ name: String, _ topics: [String], to id: Int) {
    let message = JSONValue.members((name, .array(topics.map { .string($0) })), ("position", .string(now)))
    send(RawFrame(RawFrame.text, message.jsonUTF8).bytes, to: id)
  }

  fileprivate mutating func send(_ event: Event, to id: Int) {
    guard let line = lines[id], let json = try? event.jsonUTF8() else { return }
    if line.isWebSocket {
      send(RawFrame(RawFrame.text, Array(#"{"event":"#.utf8) + json + Array("}".utf8)).bytes, to: id)
    } else {
      send(Array("id: \(event.id)\nevent: \(event.type)\ndata: ".utf8) + json + Array("\n\n".utf8), to: id)
    }
  }

  fileprivate mutating func send(_ bytes: [UInt8], to id: Int) {
    guard let line = lines[id] else { return }
    let delivered = bytes.prefix(max(0, (line.plan.limit ?? .max) - line.sent))
    lines[id]?.sent += delivered.count
    sent += delivered.count
    let size = line.plan.chunkSize ?? max(1, delivered.count)
    for start in stride(from: 0, to: delivered.count, by: size) {
      // The client may have closed the connection.
      try? line.connection.write(Array(delivered[start..<min(delivered.count, start + size)]))
    }
    guard delivered.count < bytes.count, line.plan.failure != .silence else { return }
    if line.plan.failure == .reset { line.connection.reset() }
    line.connection.cut()
    lines[id] = nil
  }
}
