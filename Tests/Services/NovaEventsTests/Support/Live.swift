import NovaCore
import NovaEvents
import NovaSupport
import NovaTestSupport
import NovaTesting

/// A client of a gateway with events.
struct Live: Sendable {
  let gateway: EventGateway
  let client: APIClient
  let clock: ManualClock

  var events: EventService { EventService(client: client) }

  init(
    _ gateway: EventGateway = EventGateway(), tokens: any TokenProvider = StoredToken(),
    store: (any CallStore)? = nil, random: Double = 0, waitsBriefly: Bool = true
  ) {
    self.gateway = gateway
    let clock = ManualClock()
    self.clock = clock
    client = APIClient(configuration: .builtIn, transport: gateway, tokens: tokens) {
      $0.store = store
      $0.clock = waitsBriefly ? BriefWaitClock(clock) as any CallClock : clock
      $0.makeRequestID = { "request" }
      $0.random = { random }
    }
  }
}

extension EventSubscription {
  /// The next updates, as IDs or `resync`.
  func take(_ count: Int) async throws -> [String] {
    var taken: [String] = []
    if count == 0 { return taken }
    for try await update in self {
      switch update {
      case .event(let event): taken.append(event.id)
      case .resync: taken.append("resync")
      }
      if taken.count == count { break }
    }
    return taken
  }
}

/// Waits until a condition is true, for at most ten seconds.
func eventually(_ isSo: @Sendable () async -> Bool) async -> Bool {
  for _ in 0..<2000 {
    if await isSo() { return true }
    try? await ContinuousClock().sleep(for: .milliseconds(5))
  }
  return false
}
