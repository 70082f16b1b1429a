import NovaCore

/// What tells a call from others, whenever it arrives: its RPC, its path and body, and its user.
struct RequestKey: Sendable {
  /// A hash, the same in each process.
  let hash: UInt64

  init(_ call: IncomingCall) {
    var hash = FNV1a.hash(of: call.name ?? "")
    func add(_ bytes: some Sequence<UInt8>) {
      hash = bytes.reduce((hash ^ 0xFF) &* 0x100_0000_01b3) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
    add(call.path.utf8)
    add(call.query.utf8)
    add((call.request.headers["Content-Range"] ?? call.request.headers["Range"] ?? "").utf8)
    add(Self.user(call.request.headers["Authorization"]).utf8)
    if let message = try? call.original?.message.get(), let json = try? message.jsonUTF8(.request) {
      add(json)
    } else {
      add(call.request.body.bytes ?? [])
    }
    self.hash = hash
  }

  /// A call of which only the head has arrived.
  init(head: HTTPRequest, name: String?) {
    let user = Self.user(head.headers["Authorization"])
    let range = head.headers["Content-Range"] ?? ""
    hash = FNV1a.hash(of: "\(name ?? "") \(head.url.path)?\(head.url.query ?? "") \(range) \(user)")
  }

  /// The user of a token, because each session has tokens of its own; without a user, the credentials.
  private static func user(_ credentials: String?) -> String {
    guard let credentials else { return "" }
    let parts = credentials.split(separator: ".")
    guard parts.count == 3, let bytes = Base64.decode(String(parts[1])), let json = try? JSONValue(jsonUTF8: bytes)
    else { return credentials }
    return json["sub"]?.stringValue ?? credentials
  }
}

/// How often each call was made.
struct RequestCounts: Sendable {
  /// The maximum number of different calls that are counted; the rest share a count.
  private static let capacity = 100_000
  private var counts: [UInt64: UInt64] = [:]
  private var rest: UInt64 = 0

  /// Counts a call, and returns a number that depends on the call and its count.
  mutating func next(_ key: RequestKey) -> UInt64 {
    let count: UInt64
    if let known = counts[key.hash] ?? (counts.count < Self.capacity ? 0 : nil) {
      count = known
      counts[key.hash] = known + 1
    } else {
      count = rest
      rest += 1
    }
    var generator = SeededGenerator(seed: key.hash)
    var mixed = SeededGenerator(seed: generator.next() &+ count)
    return mixed.next()
  }
}
