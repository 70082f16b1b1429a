import NovaCore

/// The stored responses, in memory and on disk.
final class CacheStore: Sendable {
  /// The stored responses for a request.
  struct Found: Sendable {
    /// The response that the request selects.
    var response: StoredResponse?
    /// Whether the URL has responses that other requests select.
    var hasOthers: Bool
  }

  /// Where a response is stored: its key, and the request fields that select it.
  typealias Place = (key: CacheKey, selection: [SelectingField])

  private let removals = Removals()
  private let memory: Locked<MemoryStore>
  private let disk: DiskStore?
  private let clock: any CallClock
  /// What many machines share; nil for nothing.
  let shared: SharedTier?

  init(_ options: HTTPCache.Options, shared: (any SharedResponses)? = nil, clock: any CallClock) {
    memory = Locked(MemoryStore(limit: options.memoryBytes, isActive: shared?.reportsRemovals != true))
    disk = options.directory.map { DiskStore(directory: $0, limit: options.diskBytes) }
    self.clock = clock
    self.shared = shared.map { SharedTier($0, clock: clock) }
  }

  /// The maximum size of a stored body.
  var largestBody: Int { max(largestBodyInMemory, disk?.largestBody ?? 0) }
  var largestBodyInMemory: Int { memory.withLock { $0.largestBody } }

  // MARK: Reading

  /// Finds the latest response that a request selects, among its caller's and the shared ones. Looks in memory, and
  /// also on disk unless the one in memory is fresh, because another process may have stored a newer one.
  ///
  /// - Parameter taken: other responses for the caller, which were just found in the shared store.
  func find(_ key: CacheKey, _ request: HTTPHeaders, among taken: [StoredResponse] = []) -> Found {
    let mark = taken.first?.mark ?? mark
    var found = search(key, request, among: taken)
    found.response?.mark = mark
    return found
  }

  private func search(_ key: CacheKey, _ request: HTTPHeaders, among taken: [StoredResponse]) -> Found {
    let now = clock.unixTime
    let inMemory = usable(key) { key in
      memory.withLock { $0.responses(for: key) } + taken.filter { $0.key == key }
    }
    if let response = best(inMemory, request), Freshness(response.head, at: now).isFresh {
      memory.withLock { $0.touch(response.key, response.head.selection) }
      return Found(response: response, hasOthers: inMemory.count > 1)
    }
    let all = inMemory + usable(key) { disk?.responses(for: $0) ?? [] }
    let response = best(all, request)
    if case .disk(let file)? = response?.body { file.touch(at: now) }
    return Found(response: response, hasOthers: all.count > (response == nil ? 0 : 1))
  }

  /// The responses that a caller may have. A response to an anonymous request is not returned to a user, unless the
  /// server allows it.
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
      // If two have the same time, the first one, from memory, wins.
      if best.map({ $0.head.responseTime < response.head.responseTime }) ?? true { best = response }
    }
    return best
  }

  /// The body of a stored response; nil if it is damaged. Keeps the body in memory, unless the response was removed.
  /// Removes a damaged response.
  func bytes(of response: StoredResponse) -> [UInt8]? {
    switch response.body {
    case .memory(let bytes): return bytes
    case .disk(let file):
      guard let bytes = file.readBody() else {
        disk?.heal(response)
        return nil
      }
      // Its URL may have been removed since it was found, for example at sign-out.
      if !response.isRemoved { insertInMemory(response.head, bytes, for: response.key, since: response.mark) }
      return bytes
    }
  }

  /// Whether the body of a file is undamaged. Removes a damaged one.
  func verify(_ file: DiskFile, of response: StoredResponse) -> Bool {
    if file.verify() { return true }
    disk?.heal(response)
    return false
  }

  // MARK: Writing

  /// Where to store a response: for all callers, or for this one. Nil if it must not be stored.
  func place(of head: StoredHead, _ call: CacheCall) -> Place? {
    let isCompressed = head.headers.isEncoded && !call.request.decompressesResponse
    guard !isCompressed, isCurrent(call.key.url, since: call.mark),
      StorageRule.allows(head, for: call.request)
    else { return nil }
    let hasOtherSecrets = call.hasOtherSecrets
    let isForAll = call.key.identity == nil && !hasOtherSecrets || SharingRule.allows(head)
    if isForAll, !call.key.isNamed, let selection = VaryRule.selection(by: head, of: call, hasOwner: false) {
      return (call.key.shared, selection)
    }
    guard call.key.identity != nil, call.key.isAuthorized || !hasOtherSecrets else { return nil }
    return VaryRule.selection(by: head, of: call, hasOwner: true).map { (call.key, $0) }
  }

  /// Stores a body: at once if it is in memory, or else while it is read.
  func recorded(_ body: HTTPBody, of head: StoredHead, under key: CacheKey, for call: CacheCall) -> HTTPBody {
    guard let bytes = body.bytes else {
      if let length = body.length, length > largestBody { return body }
      return .stream(
        HTTPBodyStream(
          RecordedChunks(body: body, head: head, key: key, call: call, store: self), length: body.length))
    }
    if BodyLength.isPlausible(bytes.count, head.headers) {
      insert(head, bytes, for: key, since: call.mark)
      publish(head, bytes, for: key, of: call)
    }
    return body
  }

  /// Stores a response, unless its URL was removed since `mark`.
  func insert(_ head: StoredHead, _ body: [UInt8], for key: CacheKey, since mark: Int) {
    insertInMemory(head, body, for: key, since: mark)
    onDisk(key, selection: head.selection, since: mark) { $0.insert(head, body, for: key, at: clock.unixTime) }
  }

  /// Stores a body that is still arriving.
  func recorder(_ head: StoredHead, _ key: CacheKey, of call: CacheCall, length: Int?) -> BodyRecorder {
    BodyRecorder(head, key, of: call, store: self, writer: disk?.writer(head, for: key, length: length))
  }

  /// Stores a body that has arrived, unless its URL was removed since `mark`.
  func finish(_ writer: DiskWriter, _ head: StoredHead, for key: CacheKey, since mark: Int) {
    onDisk(key, selection: head.selection, since: mark) { $0.publish(writer, at: clock.unixTime) }
  }

  func insertInMemory(_ head: StoredHead, _ body: [UInt8], for key: CacheKey, since mark: Int) {
    // A removal is recorded before it takes this lock. So either this code sees it, or the removal deletes what is
    // inserted here.
    memory.withLock { memory in
      if removals.isCurrentInMemory(key.url, since: mark) { memory.insert(head, body, for: key) }
    }
  }

  /// Stores a response from the shared store in memory, unless the one there is as new.
  func insertShared(_ head: StoredHead, _ body: [UInt8], for key: CacheKey, since mark: Int) {
    memory.withLock { memory in
      let isOlder = memory.responses(for: key).contains {
        $0.head.selection == head.selection && $0.head.responseTime >= head.responseTime
      }
      if !isOlder, removals.isCurrentInMemory(key.url, since: mark) { memory.insert(head, body, for: key) }
    }
  }

  /// Stores a file, unless its URL was removed since `mark`.
  private func onDisk(
    _ key: CacheKey, selection: [SelectingField], since mark: Int, store: (DiskStore) -> Void
  ) {
    guard let disk, isCurrent(key.url, since: mark) else { return }
    store(disk)
    // A concurrent removal may have missed a file that took its place just now.
    if !isCurrent(key.url, since: mark) { disk.remove(key, selection) }
  }

  /// Replaces the head and the place of a stored response, unless its URL was removed since the response was found.
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

  /// Removes a URL for all callers. Responses to requests that are still running will not be stored.
  func remove(_ url: HTTPURL) {
    removals.note(url)
    disk?.remove(url)
    // Recorded again, for responses that were found on the disk in between. Those found earlier are in memory.
    removals.note(url)
    memory.withLock { $0.remove(url) }
  }

  func removeAll() {
    removals.note(nil)
    disk?.removeAll()
    removals.note(nil)
    memory.withLock { $0.removeAll() }
  }

  /// Empties the memory. Responses to requests that are still running will not be stored in it.
  ///
  /// - Parameter isActive: whether it stores anything from now on.
  func resetMemory(isActive: Bool) {
    removals.noteMemory()
    memory.withLock { memory in
      memory.removeAll()
      memory.isActive = isActive
    }
  }

  /// The current mark, to ask later what was removed after it.
  var mark: Int { removals.mark }

  /// Whether the URL was not removed since `mark`. If it was, the response to a request that was sent before must not
  /// be stored.
  func isCurrent(_ url: HTTPURL, since mark: Int) -> Bool { removals.isCurrent(url, since: mark) }

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
