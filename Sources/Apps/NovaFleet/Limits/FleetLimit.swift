public import NovaSupport

/// A rate limit that all machines of a fleet share.
public struct FleetLimit: Sendable, Hashable {
  /// What happens while the store cannot be reached.
  public enum StoreFailure: Sendable, Hashable {
    /// Calls go through without a limit. A gateway with limits of its own then refuses what is too much.
    case open
    /// Calls wait for the store until their deadline, and are then refused, with the error of the store.
    case closed
  }

  /// The name of the limit, the same on all machines.
  public let name: String
  /// The number of calls per second.
  public let rate: Double
  /// The most calls that can follow each other at once. In any time `t`, the fleet makes at most `rate × t + burst` calls.
  public let burst: Int
  /// The part of the burst that only calls of high priority may use, 0…0.9.
  public let reserve: Double
  /// How long a machine may keep the tokens that it has leased.
  public let leaseTime: Duration
  /// What happens while the store cannot be reached.
  public let storeFailure: StoreFailure
  /// How long the store may take to answer before it counts as unreachable.
  public let storeTimeout: Duration

  /// Creates a limit.
  ///
  /// - Parameters:
  ///   - name: the name of the limit, the same on all machines.
  ///   - rate: the number of calls per second, greater than 0 and at most 1,000,000.
  ///   - burst: the most calls at once, 1…1,000,000. Default: those of one second, at least 1.
  ///   - reserve: the part of the burst for calls of high priority, 0…0.9. Default 0.1.
  ///   - leaseTime: how long a machine may keep tokens that it has not used. Default 500 ms. It is shortened so that the
  ///     rate fills at most half of the burst in this time.
  ///   - storeFailure: what happens while the store cannot be reached. Default: calls go through.
  ///   - storeTimeout: how long the store may take to answer. Default 1 s.
  /// - Throws: ``FleetLimitError`` `invalidArgument` for a value out of its range.
  public init(
    _ name: String, rate: Double, burst: Int? = nil, reserve: Double = 0.1, leaseTime: Duration = .milliseconds(500),
    storeFailure: StoreFailure = .open, storeTimeout: Duration = .seconds(1)
  ) throws {
    guard rate > 0, rate <= 1_000_000 else {
      throw FleetLimitError(.invalidArgument, "rate must be greater than 0 and at most 1000000, got \(rate)")
    }
    let burst = burst ?? max(1, Int(rate))
    guard (1...1_000_000).contains(burst) else {
      throw FleetLimitError(.invalidArgument, "burst must be 1…1000000, got \(burst)")
    }
    guard (0...0.9).contains(reserve) else {
      throw FleetLimitError(.invalidArgument, "reserve must be 0…0.9, got \(reserve)")
    }
    guard (1...200).contains(name.utf8.count), !name.utf8.contains(0) else {
      throw FleetLimitError(.invalidArgument, "the name must have 1…200 bytes, none of them NUL")
    }
    (self.name, self.rate, self.burst, self.reserve) = (name, rate, burst, reserve)
    self.leaseTime = min(max(leaseTime, .zero), .seconds(Double(burst) / (2 * rate)))
    (self.storeFailure, self.storeTimeout) = (storeFailure, storeTimeout)
  }

  /// The burst of the store. Leased tokens are used up to ``leaseTime`` after the store has counted them, so this is
  /// smaller than the promised one by what can come together.
  var storeBurst: Double { max(1, Double(burst) - rate * (leaseTime / .seconds(1))) }

  /// The most tokens in one lease.
  var largestLease: Int { max(1, Int(rate * (leaseTime / .seconds(1)))) }
}

/// The importance of a call for a ``FleetLimiter``.
public enum FleetPriority: Sendable, Hashable {
  /// Leaves the reserve alone.
  case normal
  /// Goes before calls of normal priority, and may use the reserve.
  case high
}

/// Why a limiter refused a call, or a store failed.
public struct FleetLimitError: NovaError, Hashable {
  public enum Kind: Sendable, Hashable {
    /// A setting is invalid.
    case invalidArgument
    /// The call's turn comes after its deadline.
    case deadline
    /// The store sent something unexpected, or did not answer in time.
    case store
    /// The limiter was shut down.
    case closed
  }

  /// What kind of failure it is.
  public let kind: Kind
  /// The reason.
  public let message: String

  /// Creates an error.
  public init(_ kind: Kind, _ message: String) { (self.kind, self.message) = (kind, message) }

  public var description: String { text.sentence }

  var text: ErrorText {
    switch kind {
    case .invalidArgument: ErrorText("invalid argument", reason: message)
    case .deadline:
      ErrorText(
        "the fleet's rate limit is reached", reason: message, advice: "use a later deadline, or make fewer calls")
    case .store:
      ErrorText(
        "the fleet's rate limit cannot be asked", reason: message,
        advice: "check the store, or set `storeFailure` to `open`, so that calls go through without it")
    case .closed: ErrorText("the limiter is closed", advice: message)
    }
  }
}
