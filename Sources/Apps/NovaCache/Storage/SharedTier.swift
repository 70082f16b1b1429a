import NovaCore
import NovaLibc

/// Exchanges responses with a shared store. What it finds goes into memory, where the rules of the cache apply to it.
final class SharedTier: Sendable {
  /// The first byte of what is stored: the version of the form.
  private static let version: UInt8 = 1
  /// How long stale responses are kept, in seconds: to validate them, or to replace failures.
  private static let staleTime = 3600.0
  private static let maximumWork = 64

  private let shared: any SharedResponses
  private let clock: any CallClock
  private let work = Locked<[Int: Task<Void, Never>]>([:])
  private let nextID = Locked(0)
  private let watcher = Locked<Task<Void, Never>?>(nil)

  init(_ shared: any SharedResponses, clock: any CallClock) { (self.shared, self.clock) = (shared, clock) }

  deinit { watcher.withLock { $0?.cancel() } }

  var loadTime: Duration { shared.loadTime }
  var reportsRemovals: Bool { shared.reportsRemovals }

  /// The responses for a caller, its own and the shared ones, and the epoch of the URL. Nil if the store cannot be
  /// used.
  func find(_ key: CacheKey) async -> (responses: [StoredResponse], epoch: String)? {
    guard key.identity != nil else { return await find(at: key) }
    async let ofAll = find(at: key.shared)
    guard let own = await find(at: key), let others = await ofAll, others.epoch == own.epoch else { return nil }
    return (own.responses + others.responses, own.epoch)
  }

  private func find(at key: CacheKey) async -> (responses: [StoredResponse], epoch: String)? {
    guard let place = key.sharedPlace, let found = await shared.find(place) else { return nil }
    return (found.variants.compactMap { Self.decoded($0, key) }, found.epoch)
  }

  /// Stores a response in the background, unless its URL was removed since `epoch`.
  func publish(_ head: StoredHead, _ body: [UInt8], for key: CacheKey, since epoch: String) {
    let freshness = Freshness(head, at: clock.unixTime)
    let seconds = max(0, -freshness.staleness) + Self.staleTime
    guard seconds.isFinite, let place = key.sharedPlace, let variant = try? head.selection.fileSuffix else { return }
    let bytes = Self.encoded(head, body)
    start { [shared] in
      await shared.publish(
        bytes, variant: variant, at: place, since: epoch, for: .seconds(min(seconds, Double(CacheControl.longest))))
    }
  }

  /// Whether to refresh a fresh response now (XFetch): the more likely, the longer its request took and the less time
  /// remains.
  ///
  /// - Parameter random: in 0..<1.
  func isDue(_ head: StoredHead, random: Double) -> Bool {
    guard shared.eagerness > 0 else { return false }
    let remaining = -Freshness(head, at: clock.unixTime).staleness
    let cost = max(0, head.responseTime - head.requestTime)
    return remaining > 0 && cost * shared.eagerness * -log(max(random, .leastNonzeroMagnitude)) >= remaining
  }

  // MARK: Loads

  func beginLoad(_ key: CacheKey, since epoch: String) async -> SharedLoad {
    guard let place = key.sharedPlace else { return .alone }
    return await shared.beginLoad(at: place, since: epoch)
  }

  /// Ends a load in the background, after what it stored.
  func endLoad(_ token: String, of key: CacheKey, since epoch: String, _ result: SharedLoadResult) {
    guard let place = key.sharedPlace else { return }
    let publications = work.withLock { Array($0.values) }
    start(isLimited: false) { [shared] in
      for publication in publications { await publication.value }
      await shared.endLoad(token, at: place, since: epoch, result)
    }
  }

  // MARK: Removals

  /// Starts to watch what others remove, unless it has.
  func watchRemovals(_ receive: @escaping @Sendable (SharedRemoval) -> Void) {
    guard reportsRemovals else { return }
    watcher.withLock { task in
      if task == nil { task = Task { [shared] in await shared.watchRemovals(receive) } }
    }
  }

  /// Ends the watch. It does not start again.
  func stopWatching() async {
    let task = watcher.withLock { task in
      if task == nil { task = Task {} }
      return task
    }
    task?.cancel()
    await task?.value
  }

  func remove(_ url: HTTPURL) async { await shared.remove(url: url.text) }
  func removeAll() async { await shared.removeAll() }

  /// Waits for what is being stored.
  func finish() async { for task in work.withLock({ Array($0.values) }) { await task.value } }

  /// Starts the work, unless too much is running. Another response will be stored then.
  private func start(isLimited: Bool = true, _ body: @escaping @Sendable () async -> Void) {
    let id = nextID.withLock { id in
      id += 1
      return id
    }
    work.withLock { work in
      guard !isLimited || work.count < Self.maximumWork else { return }
      work[id] = Task {
        await body()
        self.work.withLock { $0[id] = nil }
      }
    }
  }

  // MARK: The stored form

  private static func encoded(_ head: StoredHead, _ body: [UInt8]) -> [UInt8] {
    let head = head.encoded
    var bytes = [version]
    bytes.append(number: UInt32(head.count))
    return bytes + head + body
  }

  private static func decoded(_ bytes: [UInt8], _ key: CacheKey) -> StoredResponse? {
    var reader = HeadReader(bytes)
    guard reader.number(UInt8.self) == version, let count = reader.number(UInt32.self),
      let encoded = reader.bytes(Int(count)), let head = StoredHead(encoded: encoded)
    else { return nil }
    return StoredResponse(key: key, head: head, body: .memory(Array(bytes[(5 + Int(count))...])))
  }
}

extension CacheKey {
  /// Where its responses are in a shared store; nil without libcrypto.
  fileprivate var sharedPlace: SharedPlace? {
    guard let identity else { return SharedPlace(url: url.text, owner: nil) }
    guard let digest = try? identity.digest else { return nil }
    return SharedPlace(url: url.text, owner: Hexadecimal.encode(digest))
  }
}
