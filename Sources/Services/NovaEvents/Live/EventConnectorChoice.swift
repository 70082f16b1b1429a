package import NovaCore

/// How a client's subscriptions connect: over server-sent events, unless another way is chosen.
package final class EventConnectorChoice: ClientPart {
  private let chosen = Locked<(@Sendable (EventService) -> any EventConnector)?>(nil)

  /// The choice of a client.
  package static func of(_ client: APIClient) -> EventConnectorChoice {
    client.part(EventConnectorChoice.self) { EventConnectorChoice() }
  }

  /// Chooses how to open connections from now on.
  package func use(_ make: @escaping @Sendable (EventService) -> any EventConnector) {
    chosen.withLock { $0 = make }
  }

  func connector(for service: EventService) -> any EventConnector {
    chosen.withLock { $0 }?(service) ?? ServerSentEventConnector(client: service.client, options: service.options)
  }

  package func end() async {}
}
