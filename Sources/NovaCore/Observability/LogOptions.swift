/// What is logged of an attempt beyond the facts.
public struct LogOptions: Sendable, Hashable {
  /// How much of each JSON body is logged, in bytes, secrets masked; 0 (default) for nothing. Other bodies, and bytes
  /// that are uploaded, are never logged.
  public var bodyBytes: Int

  /// Creates options.
  public init(bodyBytes: Int = 0) { self.bodyBytes = bodyBytes }
}
