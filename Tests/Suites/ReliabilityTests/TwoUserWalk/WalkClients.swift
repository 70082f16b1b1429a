import NovaAuth
import NovaCache
import NovaCore
import NovaOffline
import NovaSDK
import NovaTestSupport
import NovaTesting
import NovaTracking

/// One user's way to make calls.
struct WalkSeat: Sendable {
  let name: String
  let nova: NovaClient
  let images: MediaCache
  let owners: WalkOwners
  /// Whether what it tracks belongs to one user in any case.
  let tracks: Bool

  /// Its user; nil if that changes.
  let user: String?
}

/// What all users share: a client with a session, one without, a store, a cache, a tracker, a directory.
final class WalkClients {
  let gateway: WalkGateway
  private let route: WalkRoute
  let folder: TemporaryFolder
  private let storeFolder: TemporaryFolder
  let time = WalkTime()
  let session: WalkOwners
  let switching: WalkTokens
  let cache: HTTPCache
  let store: OfflineStore
  let tracker: EventTracker
  private let sessionStore = MemorySessionStore()
  private let configuration: APIConfiguration
  private(set) var signedIn: NovaClient
  private(set) var server: NovaClient
  private(set) var seats: [WalkSeat] = []

  init(_ gateway: WalkGateway, by way: WalkWay) async throws {
    self.gateway = gateway
    route = try await WalkRoute(way, to: gateway)
    folder = try TemporaryFolder()
    storeFolder = try TemporaryFolder()
    session = WalkOwners(WalkGateway.nobody, time)
    switching = WalkTokens("ada", time)
    cache = HTTPCache(.init(directory: "\(folder.path)/cache"))
    store = OfflineStore(directory: storeFolder.path)
    var options = TrackingOptions()
    options.batchCount = 2
    tracker = EventTracker(directory: "\(folder.path)/analytics", options: options)
    var overrides = route.overrides
    overrides.stateDirectory = "\(folder.path)/state"
    overrides.recognizesIdempotencyKeys = true
    configuration = try APIConfiguration(overrides)
    (signedIn, server) = Self.clients(
      configuration, through: route.transport, sessions: sessionStore, cache: cache, store: store, tracker: tracker)
    seats = try makeSeats()
  }

  /// Ends the clients, and creates others with the same session, store and caches.
  ///
  /// - Parameter change: a change of the session that is under way, and that fails now.
  func restart(after change: Task<Void, Never>?) async throws {
    await signedIn.shutdown(grace: .zero)
    await server.shutdown(grace: .zero)
    // As a transport of the clients' own does that is shut down.
    gateway.hold.releaseAll(.lostBefore)
    await change?.value
    (signedIn, server) = Self.clients(
      configuration, through: route.transport, sessions: sessionStore, cache: cache, store: store, tracker: tracker)
    seats = try makeSeats()
  }

  func shutDown() async {
    await signedIn.shutdown(grace: .zero)
    await server.shutdown(grace: .zero)
    await store.end()
    await cache.shutdown()
    await route.shutdown()
  }

  private static func clients(
    _ configuration: APIConfiguration, through transport: any HTTPTransport, sessions: MemorySessionStore,
    cache: HTTPCache,
    store: OfflineStore, tracker: EventTracker
  ) -> (NovaClient, NovaClient) {
    let retry = RetryPolicy.standard(attempts: 4, delay: .milliseconds(1))
    var options = ClientOptions()
    options.resilience = Resilience(retry: retry, budget: nil, breaker: CircuitBreaker(pause: .milliseconds(1)))
    options.middlewares = [CacheMiddleware(cache)]
    options.store = store
    return (
      NovaClient(configuration: configuration, sessionStore: sessions, transport: transport) {
        $0 = options
        $0.tracker = tracker
      },
      NovaClient(configuration: configuration, transport: transport) { $0 = options }
    )
  }

  private func makeSeats() throws -> [WalkSeat] {
    var seats = [
      seat("the session", on: signedIn, of: session),
      seat("no token", on: server, of: WalkOwners(WalkGateway.nobody, time)),
    ]
    for (name, nova) in [("signed-in", signedIn), ("server", server)] {
      seats.append(
        seat("a provider on the \(name) client", on: nova.with { $0.tokens = switching }, of: switching.owners))
      for user in WalkGateway.users {
        let token = try AccessToken("named.\(user).1", user: user), unknown = try AccessToken("plain.\(user).1")
        let own = WalkOwners(user, time)
        seats += [
          seat("\(user)'s token on the \(name) client", on: nova.with { $0.token = token }, of: own, user: user),
          seat("a token of \(user) on the \(name) client", on: nova.with { $0.token = unknown }, of: own, user: user),
          seat(
            "\(user)'s header on the \(name) client",
            on: nova.with { $0.headers["Authorization"] = "Bearer header.\(user).1" }, of: own, user: user),
        ]
      }
    }
    return seats
  }

  private func seat(
    _ name: String, on nova: NovaClient, of owners: WalkOwners, user: String? = nil
  ) -> WalkSeat {
    WalkSeat(
      name: name, nova: nova, images: MediaCache(client: nova.client, cache: cache, options: nova.options),
      owners: owners, tracks: user != nil, user: user)
  }
}
