import NovaCore

extension EventService {
  /// Subscribes to what happens to some topics. See ``EventSubscription``.
  ///
  /// ```swift
  /// for try await update in nova.events.subscribe(topics: [.post("post-1")]) {
  ///   if case .event(let event) = update { print(event.type, event.counts) }
  /// }
  /// ```
  /// Nothing is sent before the subscription is read, or begun. Whose subscription it is, is decided then, and remains so
  /// to its end. Subscriptions of one caller with the same token, token provider and headers share a connection, and the
  /// other ``options`` of the one that came first, without their deadline.
  ///
  /// - Parameters:
  ///   - topics: 1 to 100 topics.
  ///   - position: the position to continue after: an event's id, or a subscription's position. Default: from now on.
  public func subscribe(topics: [EventTopic], after position: String? = nil) -> EventSubscription {
    subscription(topics, after: position, bookmark: nil)
  }

  /// Subscribes to what happens to some topics, and continues where the subscription of this name was when the program ran
  /// last. The first time, it begins now.
  ///
  /// The position is stored at most once a second, when the update after it is asked for. After a crash, the last events
  /// can therefore come again; none is missing.
  ///
  /// Each user has a position of their own under this name. A service with a token whose user is unknown finds it again
  /// only with the same token: name the user with ``AccessToken/init(_:user:)``.
  ///
  /// - Parameters:
  ///   - topics: 1 to 100 topics.
  ///   - name: the name of the position.
  ///   - store: where positions are kept, for example ``FileEventPositions``.
  public func subscribe(
    topics: [EventTopic], resumingAs name: String, in store: any EventPositionStore
  ) -> EventSubscription {
    subscription(topics, after: nil, bookmark: EventBookmark(store: store, name: name, clock: client.clock))
  }

  private func subscription(
    _ topics: [EventTopic], after position: String?, bookmark: EventBookmark?
  ) -> EventSubscription {
    let reader = EventReader(
      topics: topics, after: position?.isEmpty == true ? nil : position, bookmark: bookmark, service: self, hub: hub)
    return EventSubscription(topics: topics, reader: reader)
  }

  /// Whether events arrive now, for the subscriptions of this service's caller: of all services without a token of their
  /// own, or else of those with the same token, user or provider.
  public var state: LiveState { source.map { hub.states.value(for: $0) } ?? .offline }

  /// The ``state`` now, and then each change of it.
  public var states: AsyncStream<LiveState> {
    if let source { return hub.states.stream(for: source) }
    return AsyncStream { continuation in
      continuation.yield(.offline)
      continuation.finish()
    }
  }

  /// Why, and for how long, the client waits before it connects again or repeats a request; nil if it does not wait. Of
  /// several waits, the longest.
  public var pause: ReconnectionPause? { source.flatMap { hub.states.pause(for: $0) } }

  /// The ``pause`` now, and then each change of it.
  public var pauses: AsyncStream<ReconnectionPause?> {
    if let source { return hub.states.pauses(for: source) }
    return AsyncStream { continuation in
      continuation.yield(nil)
      continuation.finish()
    }
  }

  /// Ends subscriptions. Returns when their connections are closed.
  ///
  /// Without a token of its own, the service ends all subscriptions of the client, for good: nothing connects again, and
  /// later subscriptions fail. A client's `shutdown` does this, too. A service with a token, a token provider or an
  /// `Authorization` header in its ``options`` ends those of this caller, who can subscribe again.
  public func disconnect() async {
    switch source {
    case .client: await hub.end()
    case let source?: await hub.disconnect(source, try? await client.identity(for: options))
    // No token can be told from others, so there are no such subscriptions.
    case nil: break
    }
  }

  /// Where the token comes from; nil if tokens cannot be told apart.
  private var source: CallerSource? { try? client.callerSource(of: options) }

  private var hub: EventHub {
    client.part(EventHub.self) {
      EventHub(clock: client.clock) { EventConnectorChoice.of($0.client).connector(for: $0) }
    }
  }
}
