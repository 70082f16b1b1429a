import NovaCore

extension EventService {
  /// Subscribes to what happens to some topics. See ``EventSubscription``.
  ///
  /// ```swift
  /// for try await update in nova.events.subscribe(topics: [.post("post-1")]) {
  ///   if case .event(let event) = update { print(event.type, event.counts) }
  /// }
  /// ```
  /// Nothing is sent before the subscription is read, or begun. All subscriptions of a client share a connection, and the
  /// ``options`` of the one that came first, without their deadline.
  ///
  /// - Parameters:
  ///   - topics: 1 to 100 topics.
  ///   - position: the position to go on behind: an event's id, or a subscription's position. Default: from now on.
  public func subscribe(topics: [EventTopic], after position: String? = nil) -> EventSubscription {
    subscription(topics, after: position, bookmark: nil)
  }

  /// Subscribes to what happens to some topics, and goes on where the subscription of this name was when the program ran
  /// last. The first time, it begins now.
  ///
  /// The position is stored at most once a second, when the update after it is asked for. After a crash, the last events
  /// can therefore come again; none is missing.
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

  /// Whether events arrive now, for any subscription of the client.
  public var state: LiveState { hub.state.value }

  /// The state now, and then each change of it.
  public var states: AsyncStream<LiveState> { hub.state.stream() }

  /// Ends all subscriptions of the client, for good: nothing connects again, and later subscriptions fail. Returns when
  /// the connection is closed. A client's `shutdown` does this, too.
  public func disconnect() async { await hub.end() }

  private var hub: EventHub {
    client.part(EventHub.self) {
      EventHub(clock: client.clock) { EventConnectorChoice.of($0.client).connector(for: $0) }
    }
  }
}
