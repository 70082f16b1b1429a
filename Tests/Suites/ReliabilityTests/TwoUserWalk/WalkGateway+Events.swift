import NovaCore
import NovaEvents
import NovaSupport

/// What happened, and who follows it.
struct WalkEvents {
  struct Stream {
    let owner: String
    let chunks: AsyncThrowingStream<[UInt8], any Error>.Continuation
  }

  /// Whose each event is.
  var owners: [String] = []
  var streams: [Int: Stream] = [:]
  var nextID = 0

  var now: String { "1:\(owners.count)" }

  func event(_ index: Int) -> Event {
    Event(id: "1:\(index + 1)", type: "bookmark.created", actorId: owners[index], subjectId: owners[index])
  }

  /// The events of an owner behind a position.
  func events(of owner: String, after position: String) -> [Event] {
    let start = Int(position.split(separator: ":").last ?? "") ?? owners.count
    return owners.indices.dropFirst(start).filter { owners[$0] == owner }.map(event)
  }

  func send(_ text: String, to stream: Stream) { stream.chunks.yield(Array(text.utf8)) }

  static func frame(_ event: Event) -> String {
    let json = (try? event.jsonUTF8()).map { String(decoding: $0, as: UTF8.self) } ?? "?"
    return "id: \(event.id)\nevent: \(event.type)\ndata: \(json)\n\n"
  }
}

/// Private events.
extension WalkGateway {
  /// Something private happens to a user.
  func emit(to owner: String) {
    state.withLock { state in
      state.events.owners.append(owner)
      let frame = WalkEvents.frame(state.events.event(state.events.owners.count - 1))
      for stream in state.events.streams.values where stream.owner == owner { state.events.send(frame, to: stream) }
    }
  }

  /// Ends the streams, as a gateway does that restarts.
  func endStreams() {
    state.withLock { state in
      for stream in state.events.streams.values { stream.chunks.finish() }
      state.events.streams = [:]
    }
  }

  func events(_ request: HTTPRequest) throws -> HTTPResponse {
    let owner = Self.owner(of: request)
    if owner == Self.nobody { return .status(401) }
    if request.url.path.hasSuffix("/list") {
      let message = try ListEventsRequest(jsonUTF8: request.body.inMemory)
      return try state.withLock { state in
        let events = message.after.isEmpty ? [] : state.events.events(of: owner, after: message.after)
        let answer = ListEventsResponse(events: events, nextAfter: state.events.now, isComplete: true)
        return .json(String(decoding: try answer.jsonUTF8(), as: UTF8.self))
      }
    }
    let (chunks, continuation) = AsyncThrowingStream.makeStream(of: [UInt8].self)
    let query = PercentEncoding.pairs(request.url.query ?? "").first { $0.name == "after" }?.value
    let after = request.headers["Last-Event-ID"] ?? query ?? ""
    state.withLock { state in
      state.events.nextID += 1
      // Also those whose readers are gone stay: they ignore what is sent.
      let stream = WalkEvents.Stream(owner: owner, chunks: continuation)
      state.events.streams[state.events.nextID] = stream
      state.events.send("retry: 0\n\n", to: stream)
      for event in state.events.events(of: owner, after: after) {
        state.events.send(WalkEvents.frame(event), to: stream)
      }
    }
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "text/event-stream"], body: .stream(HTTPBodyStream(chunks)))
  }
}
