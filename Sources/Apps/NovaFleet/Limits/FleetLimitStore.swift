/// Where the machines of a fleet share their limits. All times are the store's own: the clocks of machines don't matter.
public protocol FleetLimitStore: Sendable {
  /// Takes tokens.
  ///
  /// - Parameters:
  ///   - count: the number of tokens that are wanted, at least 1.
  ///   - limit: the limit.
  ///   - priority: whether the reserve may be used.
  /// - Returns: the tokens, as many as there are and at most `count`, or when there are some.
  func take(_ count: Int, of limit: FleetLimit, priority: FleetPriority) async throws -> FleetGrant

  /// Gives back tokens that were not used.
  func giveBack(_ count: Int, of limit: FleetLimit) async throws

  /// Stops all machines for some time; a longer pause that is already there stays.
  func pause(_ limit: FleetLimit, for time: Duration) async throws
}

/// The tokens that a store has granted.
public struct FleetGrant: Sendable, Hashable {
  /// The number of tokens, which can be 0.
  public var tokens: Int
  /// Without a token, the time until there can be one.
  public var wait: Duration

  /// Creates a grant.
  public init(tokens: Int, wait: Duration = .zero) { (self.tokens, self.wait) = (tokens, wait) }
}
