import NovaCore

/// The parts of an ``OfflineStore`` while its client lives.
final class OfflineEngine: Sendable {
  let cache: OfflineCache
  let outbox: Outbox
  let connectivity: Connectivity
  let options: OfflineOptions
  let clock: any CallClock
  let isOfflineMode: Bool

  let flights = Locked<[ReadFlightKey: SingleFlight<APIResponse<any ProtoMessage>>]>([:])
  /// Entries of the outbox that are stored already, and are deleted next: no longer shown on top.
  let confirmedEntries = Locked<Set<Int64>>([])
  private let client: WeakClient
  private let watcher = Locked<Task<Void, Never>?>(nil)

  init(client: APIClient, directory: String, options: OfflineOptions, clock: any CallClock) {
    let configuration = client.configuration
    self.client = WeakClient(client)
    self.options = options
    self.clock = clock
    isOfflineMode = configuration.isOffline
    let gateway = configuration.baseURL.origin.text + configuration.baseURL.path
    cache = OfflineCache(
      path: "\(directory)/cache.db", gateway: gateway, maximumBytes: options.maximumBytes, clock: clock)
    connectivity = Connectivity(client: client, clock: clock)
    outbox = Outbox(directory: directory, gateway: gateway, connectivity: connectivity, clock: clock)
    outbox.start(with: self)
  }

  /// The client; nil when the program has dropped it.
  var currentClient: APIClient? { client.value }

  /// Names the account of the calls that are made now, without asking the gateway.
  func accountName() async throws -> String {
    guard let client = client.value else { throw APIError(.cancelled, "the client is gone") }
    let (user, token) = try await client.account()
    return try AccountName.text(user: user, token: token)
  }

  func end() async {
    watcher.withLock { watcher in
      watcher?.cancel()
      watcher = nil
    }
    await outbox.stop()
    connectivity.stop()
    cache.signal.end()
    await cache.close()
  }

  /// Looks for changes by other processes while something is observed.
  func watchOtherProcesses() {
    watcher.withLock { watcher in
      guard watcher == nil else { return }
      watcher = Task { [weak self, clock, options] in
        var version: Int?
        while (try? await clock.sleep(for: options.observationInterval)) != nil, let self {
          guard cache.signal.isObserved else { continue }
          let latest = await cache.dataVersion()
          if let version, version != latest { cache.signal.send() }
          version = latest
        }
      }
    }
  }
}

/// A client that is not kept alive.
final class WeakClient: Sendable {
  private struct Reference { weak var client: APIClient? }

  private let reference: Locked<Reference>

  init(_ client: APIClient) { reference = Locked(Reference(client: client)) }

  var value: APIClient? { reference.withLock { $0.client } }
}
