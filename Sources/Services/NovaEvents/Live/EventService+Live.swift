import NovaCore

extension EventService {
  /// Subscribes to the events of some topics. See ``EventSubscription``.
  ///
  /// ```swift
  /// for try await update in nova.events.subscribe(topics: [.post("post-1")]) {
  ///   if case .event(let event) = update { print(event.type, event.counts) }
  /// }
  /// ```
  /// No request is sent before you read or begin the subscription. At that time, the subscription gets its caller,
  /// which never changes. Subscriptions of one caller with the same token, token provider, and headers share a
  /// connection. It has the other ``options`` of the first of them, without the deadline.
  ///
  /// - Parameters:
  ///   - topics: 1 to 100 topics.
  ///   - position: the position to continue after: an event's ID, or a subscription's position. Default: from now on.
  public func subscribe(topics: [EventTopic], after position: String? = nil) -> EventSubscription {
    subscription(topics, after: position, bookmark: nil)
  }

  /// Subscribes to the events of some topics, and continues where the subscription of this name was in the last run of
  /// the program. The first time, it begins now.
  ///
  /// The position of an update is stored when you request the next update, at most once a second. After a crash, the
  /// last events can therefore be delivered again, but none is lost.
  ///
  /// Each user has a separate position under this name. If the user of a service's token is unknown, only the same
  /// token finds the position again; to avoid that, name the user with ``AccessToken/init(_:user:)``.
  ///
  /// - Parameters:
  ///   - topics: 1 to 100 topics.
  ///   - name: the name of the position.
  ///   - store: stores the positions, for example ``FileEventPositions``.
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

  /// Whether events arrive now for the subscriptions of this service's caller: of all services without their own token,
  /// or else of all services with the same token, user, or provider.
  public var state: LiveState { hub.states.value(for: source) }

  /// The current ``state``, and then each change of it.
  public var states: AsyncStream<LiveState> { hub.states.stream(for: source) }

  /// Why and how long the client is waiting before it connects again or repeats a request; nil if it is not waiting. If
  /// there are several pauses, the longest.
  public var pause: ReconnectionPause? { hub.states.pause(for: source) }

  /// The current ``pause``, and then each change of it.
  public var pauses: AsyncStream<ReconnectionPause?> { hub.states.pauses(for: source) }

  /// Ends subscriptions. Returns when their connections are closed.
  ///
  /// If the ``options`` have a token, a token provider, or an `Authorization` header, ends the subscriptions of that
  /// caller, who can subscribe again. Otherwise, permanently ends all subscriptions of the client: later subscriptions
  /// fail. A client's `shutdown` does the same.
  public func disconnect() async {
    switch source {
    case .client: await hub.end()
    case let source?: await hub.disconnect(source, try? await client.identity(for: options))
    // The source cannot be identified, so no subscription has it.
    case nil: break
    }
  }

  /// Where the token comes from; nil if that cannot be identified.
  private var source: CallerSource? { try? client.callerSource(of: options) }

  private var hub: EventHub { client.eventHub }
}
