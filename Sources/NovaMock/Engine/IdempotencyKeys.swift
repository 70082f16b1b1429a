import NovaCore

/// The answers of calls that came with an `Idempotency-Key`, so that a repetition changes nothing and is told the same.
///
/// Only successes are kept: a call that failed changed nothing, and may be tried again under its key. An answer is kept
/// for a day. Past `maxCount` answers or `maxBytes` of bodies the oldest go first.
struct IdempotencyKeys: Sendable {
  /// A key counts for one caller and one RPC.
  struct ID: Hashable, Sendable {
    let caller: String?
    let rpc: String
    let key: String

    /// Refuses keys that no client should send.
    init(caller: String?, rpc: String, key: String) throws(MockFailure) {
      guard (1...IdempotencyKeys.maxKeyLength).contains(key.utf8.count) else {
        let limit = IdempotencyKeys.maxKeyLength
        throw MockFailure(
          .invalidArgument, "Idempotency-Key must have 1 to \(limit) bytes, not \(key.utf8.count); use a new UUID")
      }
      (self.caller, self.rpc, self.key) = (caller, rpc, key)
    }
  }

  private struct Entry {
    let fingerprint: Int
    let answer: HTTPResponse
    let time: Int64
    let number: Int
  }

  static let lifetime: Int64 = 24 * 60 * 60
  static let maxKeyLength = 255
  static let maxCount = 10_000
  static let maxBytes = 16 << 20

  private var entries: [ID: Entry] = [:]
  /// The ids in the order in which they were stored, from `start` on; what lies before has gone.
  private var order: [(id: ID, number: Int)] = []
  private var start = 0
  private var nextNumber = 0
  private var bytes = 0

  /// How many answers are kept.
  var count: Int { entries.count }

  /// The answer that was given before; nil when the call is new. Refuses a key that came with another request.
  func answer(
    _ id: ID, _ request: any ProtoMessage, secret: [UInt8]? = nil, now: Int64
  ) throws(MockFailure) -> HTTPResponse? {
    guard let entry = entries[id], now - entry.time < Self.lifetime else { return nil }
    guard entry.fingerprint == Self.fingerprint(request, secret) else {
      throw MockFailure(
        .invalidArgument,
        "this Idempotency-Key came with another \(id.rpc) request before; use a new key for each new call",
        httpStatus: 422)
    }
    var answer = entry.answer
    answer.headers["Idempotency-Replayed"] = "true"
    return answer
  }

  /// Keeps the answer of a call that was performed.
  mutating func store(_ answer: HTTPResponse, _ id: ID, _ request: any ProtoMessage, secret: [UInt8]? = nil, now: Int64)
  {
    nextNumber += 1
    let entry = Entry(fingerprint: Self.fingerprint(request, secret), answer: answer, time: now, number: nextNumber)
    if let old = entries.updateValue(entry, forKey: id) { bytes -= old.answer.body.inMemory.count }
    bytes += answer.body.inMemory.count
    order.append((id, nextNumber))
    dropOldest(now: now)
  }

  /// Each entry is stepped over once, so that storing takes constant time on average.
  private mutating func dropOldest(now: Int64) {
    while start < order.count {
      let (id, number) = order[start]
      // An entry that is not this one has been stored anew since, and stands further back.
      if let entry = entries[id], entry.number == number {
        let isOver = entries.count > Self.maxCount || bytes > Self.maxBytes
        guard isOver || now - entry.time >= Self.lifetime else { break }
        entries[id] = nil
        bytes -= entry.answer.body.inMemory.count
      }
      start += 1
    }
    if start > order.count / 2 {
      order.removeFirst(start)
      start = 0
    }
  }

  /// Tells requests apart without keeping them: a password or a text is not stored for a day. It holds in this process
  /// only, as the state does.
  private static func fingerprint(_ request: any ProtoMessage, _ secret: [UInt8]?) -> Int {
    var hasher = Hasher()
    request.hash(into: &hasher)
    hasher.combine(secret)
    return hasher.finalize()
  }
}
