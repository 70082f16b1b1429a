import NovaCore

/// Responses in memory and on disk.
final class CacheStore: Sendable {
  /// What is stored for a request.
  struct Found: Sendable {
    /// The response that the request selects.
    var response: StoredResponse?
    /// Whether there are responses that other requests to the URL select.
    var hasOthers: Bool
  }

  /// Where a response is stored: the key, and the fields of the request that select it.
  typealias Place = (key: CacheKey, selection: [SelectingField])

  private struct Removals: Sendable {
    var mark: UInt64 = 0
    /// The removals of single URLs; older ones are forgotten, and then count for all URLs.
    var urls: [HTTPURL: UInt64] = [:]
    var all: UInt64 = 0
  }

  private let removals = Locked(Removals())
  private let memory: Locked<MemoryStore>
  private let disk: DiskStore?
  private let clock: any CallClock

  init(_ options: HTTPCache.Options, clock: any CallClock) {
    memory = Locked(MemoryStore(limit: options.memoryBytes))
    disk = options.directory.map { DiskStore(directory: $0, limit: options.diskBytes) }
    self.clock = clock
  }

  /// The largest body that can be stored.
  var largestBody: Int { max(largestBodyInMemory, disk?.largestBody ?? 0) }
  var largestBodyInMemory: Int { memory.withLock { $0.largestBody } }

  // MARK: Reading

  /// Finds the latest response that a request selects, of those for its caller and those for everybody: in memory, and also on disk unless the one in memory is fresh,
  /// because another process may have stored a newer one.
  func find(_ key: CacheKey, _ request: HTTPHeaders) -> Found {
    let mark = mark
    var found = search(key, request)
    found.response?.mark = mark
    return found
  }

  private func search(_ key: CacheKey, _ request: HTTPHeaders) -> Found {
    let now = clock.unixTime
    let inMemory = usable(key) { key in memory.withLock { $0.responses(for: key) } }
    if let response = best(inMemory, request), Freshness(response.head, at: now).isFresh {
      memory.withLock { $0.touch(response.key, response.head.selection) }
      return Found(response: response, hasOthers: inMemory.count > 1)
    }
    let all = inMemory + usable(key) { disk?.responses(for: $0) ?? [] }
    let response = best(all, request)
    if case .disk(let file)? = response?.body { file.touch(at: now) }
    return Found(response: response, hasOthers: all.count > (response == nil ? 0 : 1))
  }

  /// The responses that a caller may have. What a server sent to nobody in particular is not the answer for a user, unless
  /// the server allows it.
  private func usable(_ key: CacheKey, _ responses: (CacheKey) -> [StoredResponse]) -> [StoredResponse] {
    guard key.identity != nil else { return responses(key) }
    let shared = responses(key.shared)
    let own = responses(key)
    if shared.isEmpty { return own }
    guard key.isAuthorized else { return own + shared }
    return own
      + shared.filter { response in
        SharingRule.allows(response.head) && !response.head.selection.contains { $0.name == "authorization" }
      }
  }

  private func best(_ responses: [StoredResponse], _ request: HTTPHeaders) -> StoredResponse? {
    var best: StoredResponse?
    for response in responses where VaryRule.matches(response.head.selection, request) {
      // The first of two of the same time is the one in memory.
      if best.map({ $0.head.responseTime < response.head.responseTime }) ?? true { best = response }
    }
    return best
  }

  /// The body of a stored response, which then is in memory, too, unless the response was removed. A damaged one is
  /// removed, and nil.
  func bytes(of response: StoredResponse) -> [UInt8]? {
    switch response.body {
    case .memory(let bytes): return bytes
    case .disk(let file):
      guard let bytes = file.readBody() else {
        disk?.heal(response)
        return nil
      }
      // Its URL may have been removed since it was found: at a sign-out, for example.
      if !response.isRemoved { insertInMemory(response.head, bytes, for: response.key, since: response.mark) }
      return bytes
    }
  }

  /// Whether the body of a file is undamaged. A damaged one is removed.
  func verify(_ file: DiskFile, of response: StoredResponse) -> Bool {
    if file.verify() { return true }
    disk?.heal(response)
    return false
  }

  // MARK: Writing

  /// Stores a response, unless its URL was removed since.
  func insert(_ head: StoredHead, _ body: [UInt8], for key: CacheKey, since mark: UInt64) {
    insertInMemory(head, body, for: key, since: mark)
    onDisk(key, selection: head.selection, since: mark) { $0.insert(head, body, for: key, at: clock.unixTime) }
  }

  /// Stores a body that is still arriving.
  func recorder(_ head: StoredHead, _ key: CacheKey, since mark: UInt64, length: Int?) -> BodyRecorder {
    BodyRecorder(head, key, since: mark, store: self, writer: disk?.writer(head, for: key, length: length))
  }

  /// Stores a body that has arrived, unless its URL was removed since.
  func finish(_ writer: DiskWriter, _ head: StoredHead, for key: CacheKey, since mark: UInt64) {
    onDisk(key, selection: head.selection, since: mark) { $0.publish(writer, at: clock.unixTime) }
  }

  func insertInMemory(_ head: StoredHead, _ body: [UInt8], for key: CacheKey, since mark: UInt64) {
    // A removal is noted before it takes this lock: it is seen here, or it removes what is inserted here.
    memory.withLock { memory in
      if isCurrent(key.url, since: mark) { memory.insert(head, body, for: key) }
    }
  }

  /// Stores a file, unless its URL was removed since.
  private func onDisk(
    _ key: CacheKey, selection: [SelectingField], since mark: UInt64, store: (DiskStore) -> Void
  ) {
    guard let disk, isCurrent(key.url, since: mark) else { return }
    store(disk)
    // The removal may not have seen a file that took its place meanwhile.
    if !isCurrent(key.url, since: mark) { disk.remove(key, selection) }
  }

  /// Replaces the head and the place of a stored response, unless its URL was removed since it was found.
  func update(_ response: StoredResponse, with head: StoredHead, at place: Place) {
    let key = place.key
    var head = head
    head.selection = place.selection
    if (response.key, response.head.selection) != place { remove(response) }
    switch response.body {
    case .memory(let bytes): insert(head, bytes, for: key, since: response.mark)
    case .disk(let file):
      memory.withLock { $0.remove(key, response.head.selection) }
      onDisk(key, selection: head.selection, since: response.mark) {
        $0.update(file, with: head, for: key, at: clock.unixTime)
      }
    }
  }

  // MARK: Removing

  func remove(_ response: StoredResponse) {
    memory.withLock { $0.remove(response.key, response.head.selection) }
    disk?.remove(response.key, response.head.selection)
  }

  /// Removes a URL, for all who may have its responses. Responses that are under way are not stored anymore.
  func remove(_ url: HTTPURL) {
    noteRemoval(of: url)
    disk?.remove(url)
    // Again, for what was found on the disk meanwhile. What was read from there before is in memory.
    noteRemoval(of: url)
    memory.withLock { $0.remove(url) }
  }

  func removeAll() {
    noteRemoval(of: nil)
    disk?.removeAll()
    noteRemoval(of: nil)
    memory.withLock { $0.removeAll() }
  }

  /// - Parameter url: what was removed; nil for everything.
  private func noteRemoval(of url: HTTPURL?) {
    removals.withLock { removals in
      removals.mark += 1
      if url == nil || removals.urls.count >= 1024 {
        removals.urls = [:]
        removals.all = removals.mark
      }
      if let url { removals.urls[url] = removals.mark }
    }
  }

  /// The present, to ask later what was removed since.
  var mark: UInt64 { removals.withLock { $0.mark } }

  /// Whether nothing was removed under the URL since: a response to a request that was sent before may be the one that
  /// was meant.
  func isCurrent(_ url: HTTPURL, since mark: UInt64) -> Bool {
    removals.withLock { max($0.all, $0.urls[url] ?? 0) <= mark }
  }

  // MARK: Usage

  var usage: HTTPCache.Usage {
    let (identities, memoryBytes) = memory.withLock { ($0.identities, $0.byteCount) }
    let files = disk?.contents() ?? DiskStore.Contents()
    let names = identities.map { key, selection in
      (try? key.filePrefix + selection.fileSuffix) ?? "\(key.hashValue) \(selection.hashValue)"
    }
    var usage = HTTPCache.Usage()
    usage.entries = Set(files.names).union(names).count
    usage.memoryBytes = memoryBytes
    usage.diskBytes = files.byteCount
    usage.oldestUse = files.uses.map { Int64($0.lowerBound) }
    usage.newestUse = files.uses.map { Int64($0.upperBound) }
    usage.healed = disk?.healed ?? 0
    return usage
  }
}
