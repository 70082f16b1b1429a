import NovaCore

/// Responses in memory. If the limit is exceeded, the least recently used ones are removed.
struct MemoryStore: Sendable {
  private struct Entry {
    var head: StoredHead
    let body: [UInt8]
    var tick: UInt64

    var byteCount: Int { head.byteCount + body.count }
  }

  private struct ID: Hashable {
    let key: CacheKey
    let selection: [SelectingField]
  }

  private let limit: Int
  private var entries: [CacheKey: [[SelectingField]: Entry]] = [:]
  /// The order of uses. An entry that was used again occurs several times; its last occurrence counts.
  private var uses: [(id: ID, tick: UInt64)] = []
  private var firstUse = 0
  private var tick: UInt64 = 0
  private(set) var byteCount = 0
  private(set) var count = 0

  /// Whether responses are stored.
  var isActive: Bool

  init(limit: Int, isActive: Bool = true) { (self.limit, self.isActive) = (max(0, limit), isActive) }

  /// The maximum number of variants of a response. Otherwise, a server could make each request add one, and every
  /// lookup would compare all of them.
  static let maximumVariants = 32

  /// The maximum size of a stored body.
  var largestBody: Int { limit / 8 }

  /// The keys and variants of all responses.
  var identities: [(key: CacheKey, selection: [SelectingField])] {
    entries.flatMap { key, variants in variants.keys.map { (key, $0) } }
  }

  /// The responses of a key.
  func responses(for key: CacheKey) -> [StoredResponse] {
    (entries[key] ?? [:]).values.map { StoredResponse(key: key, head: $0.head, body: .memory($0.body)) }
  }

  /// Records that a response was used.
  mutating func touch(_ key: CacheKey, _ selection: [SelectingField]) {
    guard entries[key]?[selection] != nil else { return }
    tick += 1
    entries[key]?[selection]?.tick = tick
    uses.append((ID(key: key, selection: selection), tick))
    if uses.count > 64 + 4 * count { compact() }
  }

  mutating func insert(_ head: StoredHead, _ body: [UInt8], for key: CacheKey) {
    remove(key, head.selection)
    let entry = Entry(head: head, body: body, tick: 0)
    guard isActive, body.count <= largestBody, entry.byteCount <= limit else { return }
    removeSurplusVariant(key)
    entries[key, default: [:]][head.selection] = entry
    byteCount += entry.byteCount
    count += 1
    touch(key, head.selection)
    evict()
  }

  private mutating func removeSurplusVariant(_ key: CacheKey) {
    guard let variants = entries[key], variants.count >= Self.maximumVariants,
      let oldest = variants.min(by: { $0.value.tick < $1.value.tick })
    else { return }
    remove(key, oldest.key)
  }

  mutating func remove(_ key: CacheKey, _ selection: [SelectingField]) {
    guard let entry = entries[key]?.removeValue(forKey: selection) else { return }
    if entries[key]?.isEmpty == true { entries[key] = nil }
    byteCount -= entry.byteCount
    count -= 1
  }

  mutating func remove(_ key: CacheKey) {
    for selection in (entries[key] ?? [:]).keys { remove(key, selection) }
  }

  /// Removes a URL for all callers.
  mutating func remove(_ url: HTTPURL) {
    for key in entries.keys where key.url == url { remove(key) }
  }

  mutating func removeAll() { self = MemoryStore(limit: limit, isActive: isActive) }

  private mutating func evict() {
    while byteCount > limit, firstUse < uses.count {
      let (id, tick) = uses[firstUse]
      firstUse += 1
      if entries[id.key]?[id.selection]?.tick == tick { remove(id.key, id.selection) }
    }
    if firstUse > 1024 { compact() }
  }

  private mutating func compact() {
    uses = uses[firstUse...].filter { entries[$0.id.key]?[$0.id.selection]?.tick == $0.tick }
    firstUse = 0
  }
}
