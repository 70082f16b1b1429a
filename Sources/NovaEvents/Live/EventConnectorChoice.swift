package import NovaCore

/// How the subscriptions of a client connect: over server-sent events, unless something else is chosen.
package final class EventConnectorChoice: ClientPart {
  private let chosen = Locked<(@Sendable (EventService) -> any EventConnector)?>(nil)

  /// That of a client.
  package static func of(_ client: APIClient) -> EventConnectorChoice {
    client.part(EventConnectorChoice.self) { EventConnectorChoice() }
  }

  /// Chooses for the connections that are made from now on.
  package func use(_ make: @escaping @Sendable (EventService) -> any EventConnector) {
    chosen.withLock { $0 = make }
  }

  func connector(for service: EventService) -> any EventConnector {
    chosen.withLock { $0 }?(service) ?? ServerSentEventConnector(client: service.client, options: service.options)
  }

  package func end() async {}
}
