public import NovaCore
public import NovaEvents

extension MockBackend {
  /// Responds to StreamEvents with an endless stream of server-sent events.
  func streamEvents(_ request: StreamEventsRequest, of call: IncomingCall) throws(MockFailure) -> HTTPResponse {
    let reader = try eventReader(call.request.headers)
    let topics = try [MockTopic](request.topics, caller: reader.user)
    let last = call.request.headers["Last-Event-ID"] ?? ""
    let subscription = EventSubscriber(self, reader, clock: call.clock)
    let start = try subscription.subscribe(to: topics, after: last.isEmpty ? request.after : last)
    guard let transcoder = call.original?.transcoder else {
      return Self.eventStream(subscription, start, retry: eventSettings.retry)
    }
    let body = EventStreamBody(
      subscription: subscription, opening: start.isReset ? transcoder.encodeReset(start.position) : [],
      encode: transcoder.encoding(with: call.fault))
    return HTTPResponse(
      status: 200, headers: [MessageTranscoder.positionHeader: start.position], body: .stream(HTTPBodyStream(body)))
  }

  static func eventStream(
    _ subscription: EventSubscriber, _ start: (position: String, isReset: Bool), retry: Duration,
    encode: @escaping @Sendable (EventItem) -> [UInt8] = \.serverSentEvent
  ) -> HTTPResponse {
    let body = EventStreamBody(
      subscription: subscription, opening: EventStreamBody.opening(start, retry: retry), encode: encode)
    // A proxy that buffers or compresses responses, as nginx does by default, would delay events.
    return HTTPResponse(
      status: 200,
      headers: [
        "Content-Type": "text/event-stream", "Cache-Control": "no-store, no-transform", "X-Accel-Buffering": "no",
      ],
      body: .stream(HTTPBodyStream(body)))
  }

  func eventReader(_ headers: HTTPHeaders) throws(MockFailure) -> EventReader {
    try withEngine { engine throws(MockFailure) in
      let claims = try engine.state.claims(headers)
      if claims == nil, requiresTokens {
        throw MockFailure(.unauthenticated, "missing access token: events require one; sign in first")
      }
      return EventReader(claims)
    }
  }

  /// How events are stored and streamed. Fewer stored events drop the oldest ones.
  public var eventSettings: MockEventSettings {
    get { events.settings }
    set { events.settings = newValue }
  }

  /// The position of the latest event.
  public var eventPosition: String { events.position }

  /// The number of open streams of events, without those of inspectors.
  public var eventSubscriberCount: Int { events.subscriberCount }

  /// The latest events, oldest first.
  public var recentEvents: [Event] {
    withEngine { _ in
      (try? events.withHistory { history in (history.first..<history.last + 1).map { history.pending($0).event } })
        ?? []
    }
  }

  /// Sends an event that no call caused, for example one of a type that does not exist yet.
  ///
  /// - Parameters:
  ///   - event: the event. Its id is ignored; without a time, it happens now.
  ///   - topics: the topics that have it. `feed:ann` is Ann's feed, even if she does not follow the actor. Default: those
  ///     of its users and its post. `me` is that of `actorId`.
  /// - Throws: ``MockEventError`` for an invalid topic or type.
  public func emit(_ event: Event, topics: [String]? = nil) throws { try emit([event], topics: topics) }

  /// Sends several events in order; none if one of them is invalid.
  func emit(_ events: [Event], topics: [String]?) throws {
    do throws(MockFailure) {
      var pending: [PendingEvent] = []
      for event in events {
        guard !event.type.isEmpty, event.type.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F }) else {
          throw .invalid("type must have 1 or more printable characters without spaces")
        }
        pending.append(try PendingEvent(event, topics: topics))
      }
      withEngine { engine in
        for event in pending {
          var event = event.naming { engine.state.content.number($0) }
          if event.event.createdAt == 0 { event.event.createdAt = engine.state.now }
          engine.state.effects.events.append(event)
        }
      }
    } catch {
      throw MockEventError(description: "cannot emit the event: \(error.message)")
    }
  }

  /// Ends all streams of events. Clients connect again.
  public func endEventStreams(_ reason: MockEventEnd) { wake(events.endAll(reason)) }

  /// Forgets all events, like a server that has lost them: earlier positions become unknown, and all streams end.
  ///
  /// - Parameter name: the name of the new epoch, without control characters. Default: one that the seed and the last
  ///   given name determine.
  public func beginEventEpoch(_ name: String? = nil) {
    let name = name.map { String($0.unicodeScalars.filter { $0.value > 0x20 && $0.value != 0x7F }) }
    wake(events.beginEpoch(name))
  }

  func wake(_ signals: [WakeSignal]) { for signal in signals { signal.wake() } }
}

extension PendingEvent {
  /// Returns the event with the number of the post that it names.
  fileprivate func naming(_ number: (String) -> Int32?) -> PendingEvent {
    PendingEvent(event, keys: keys, audience: audience, post: event.postId.flatMap(number), feeds: feeds)
  }
}

/// An event that cannot be emitted.
public struct MockEventError: NovaError, Hashable {
  /// The problem, and what was expected.
  public let description: String
}

extension PendingEvent {
  /// - Parameter topics: the topics that have the event; nil for those of its fields.
  fileprivate init(_ event: Event, topics: [String]?) throws(MockFailure) {
    guard let topics = try topics.map({ texts throws(MockFailure) in try [MockTopic](texts, caller: event.actorId) })
    else {
      self.init(event, keys: event.keys)
      return
    }
    let feeds = topics.filter { $0.kind == .feed }.map { ExactText($0.id) }
    self.init(event, keys: topics.map(\.key), feeds: Set(feeds))
  }
}

extension Event {
  /// The lists that the event belongs to according to its fields.
  fileprivate var keys: [MockTopic] {
    var keys: [MockTopic] = []
    for user in [actorId, subjectId] where !user.isEmpty { keys += [.user(user), .me(user)] }
    if let postId { keys.append(.post(postId)) }
    if kind == .postCreated { keys.append(.newPosts) }
    return keys
  }
}

extension MockEngine {
  /// Returns a page of events.
  func list(_ request: ListEventsRequest, in log: EventLog) throws(MockFailure) -> ListEventsResponse {
    let reader = EventReader(state.viewer)
    let topics = try [MockTopic](request.topics, caller: reader.user)
    for topic in topics {
      if let refusal = reader.refusal(of: topic, in: state) { throw refusal }
    }
    let paging = try Paging(limit: request.limit, of: EventRPC.listEvents)
    return try log.withHistory { history in
      guard !request.after.isEmpty else { return .init(nextAfter: history.position.description, isComplete: true) }
      let after = EventPosition(request.after)
      let isComplete = after.map { history.isComplete(after: $0) } ?? false
      let isKnown = after.map { $0.epoch == history.epoch && $0.offset <= history.last } ?? false
      let start = isKnown ? max(after?.offset ?? 0, history.first - 1) : history.first - 1
      return history.page(of: topics, after: start, limit: paging.limit, isComplete: isComplete) { topic, pending in
        reader.sees(pending, in: topic, state)
      }
    }
  }
}

extension EventHistory {
  fileprivate mutating func page(
    of topics: [MockTopic], after start: Int, limit: Int, isComplete: Bool,
    where isVisible: (MockTopic, PendingEvent) -> Bool
  ) -> ListEventsResponse {
    var visible: Set<Int> = []
    for topic in topics {
      var rest = limit + 1
      for offset in offsets(topic.key, after: start, limit: .max) where rest > 0 && isVisible(topic, pending(offset)) {
        visible.insert(offset)
        rest -= 1
      }
    }
    let found = visible.sorted()
    let page = found.prefix(limit)
    let hasMore = found.count > page.count
    return .init(
      events: page.map { pending($0).event }, nextAfter: position(hasMore ? page.last ?? last : last).description,
      hasMore: hasMore, isComplete: isComplete)
  }
}
