import NovaCore

/// The responses to calls with an `Idempotency-Key`, so that a repeated call changes nothing and gets the same
/// response.
///
/// Only successful responses are stored: a failed call changed nothing, and can be retried with its key. A response is
/// stored for a day. Beyond `maxCount` responses or `maxBytes` of bodies, the oldest are dropped first.
struct IdempotencyKeys: Sendable {
  /// A key, valid for one caller and one RPC.
  struct ID: Hashable, Sendable {
    private let caller: ExactText?
    fileprivate let rpc: String
    private let key: ExactText

    /// Throws for an invalid key.
    init(caller: String?, rpc: String, key: String) throws(MockFailure) {
      guard (1...IdempotencyKeys.maxKeyLength).contains(key.utf8.count) else {
        let limit = IdempotencyKeys.maxKeyLength
        throw .invalid("Idempotency-Key must have 1 to \(limit) bytes, not \(key.utf8.count); use a new UUID")
      }
      (self.caller, self.rpc, self.key) = (caller.map { ExactText($0) }, rpc, ExactText(key))
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
  /// The ids in the order in which they were stored.
  private var order = Queue<(id: ID, number: Int)>()
  private var nextNumber = 0
  private var bytes = 0

  /// The number of stored responses.
  var count: Int { entries.count }

  /// Returns the stored response; nil for a new call. Throws if the key was used with another request.
  func answer(
    for id: ID, request: any ProtoMessage, secret: [UInt8]? = nil, now: Int64
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

  /// Stores the response to a call.
  mutating func store(_ answer: HTTPResponse, for id: ID, request: any ProtoMessage, secret: [UInt8]? = nil, now: Int64)
  {
    nextNumber += 1
    let entry = Entry(fingerprint: Self.fingerprint(request, secret), answer: answer, time: now, number: nextNumber)
    if let old = entries.updateValue(entry, forKey: id) { bytes -= old.answer.body.inMemory.count }
    bytes += answer.body.inMemory.count
    order.append((id, nextNumber))
    dropOldest(now: now)
  }

  /// Visits each entry once, so that storing takes amortized constant time.
  private mutating func dropOldest(now: Int64) {
    while let (id, number) = order.first {
      // A different entry was stored again since, and has a later position.
      if let entry = entries[id], entry.number == number {
        let isOver = entries.count > Self.maxCount || bytes > Self.maxBytes
        guard isOver || now - entry.time >= Self.lifetime else { return }
        entries[id] = nil
        bytes -= entry.answer.body.inMemory.count
      }
      _ = order.popFirst()
    }
  }

  /// Identifies a request without storing passwords or texts. Like the state, it is valid in this process only.
  private static func fingerprint(_ request: any ProtoMessage, _ secret: [UInt8]?) -> Int {
    var hasher = Hasher()
    request.hash(into: &hasher)
    hasher.combine(secret)
    return hasher.finalize()
  }
}
