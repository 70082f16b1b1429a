public import NovaCore

/// What a stub or a replay expected and did not get, or got and did not expect.
public struct UnmetExpectations: Error, Sendable, Hashable, CustomStringConvertible {
  /// The requests that nothing was there for, each with what comes nearest.
  public let unexpected: [String]
  /// What was not asked for.
  public let unused: [String]

  init?(unexpected: [String], unused: [String]) {
    if unexpected.isEmpty, unused.isEmpty { return nil }
    self.unexpected = unexpected
    self.unused = unused
  }

  public var description: String {
    (unexpected + unused.map { "never asked for: \($0)" }).joined(separator: "\n")
  }
}

extension TransportError.Kind {
  /// A stub or a replay has no answer to the request. Never tried again.
  public static let unexpectedRequest = TransportError.Kind(rawValue: "unexpectedRequest")
}
