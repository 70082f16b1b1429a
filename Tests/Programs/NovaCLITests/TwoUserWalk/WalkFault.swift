/// What happens to one request of a walk.
enum WalkFault: Sendable, Equatable {
  /// 503, and `Retry-After` in seconds.
  case unavailable(retryAfter: Int)
  /// The request takes effect, and the connection is closed without an answer, or after half of a file.
  case lost
  /// The token expires just before: 401, so that a refresh is needed.
  case expired
  /// It waits until the walk has done something else, and then takes effect, or has one of the other faults.
  indirect case held(then: WalkFault?)
}

extension WalkFault: CustomStringConvertible {
  var description: String {
    switch self {
    case .unavailable(let seconds): "503 after \(seconds) s"
    case .lost: "lost"
    case .expired: "expired"
    case .held(let then): "held, then \(then.map { "\($0)" } ?? "answered")"
    }
  }
}

/// The faults of one step: which of its requests have one. Requests of AuthService have none, because a session that is
/// being opened or refreshed is locked for all processes.
struct WalkFaultPlan: Sendable {
  /// By the number of the request in the step, from 0.
  var faults: [Int: WalkFault] = [:]
  private var count = 0
  /// Whether a request is being held; until it continues, other processes have no faults.
  private(set) var isHolding = false
  /// Whether a request was held.
  private(set) var hasHeld = false

  init(_ faults: [Int: WalkFault] = [:]) { self.faults = faults }

  /// The fault of the next request.
  mutating func next() -> WalkFault? {
    guard !isHolding else { return nil }
    defer { count += 1 }
    guard let fault = faults[count] else { return nil }
    if case .held = fault { (isHolding, hasHeld) = (true, true) }
    return fault
  }

  mutating func release() { isHolding = false }
}
