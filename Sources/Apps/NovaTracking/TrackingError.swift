public import NovaCore

/// Why an ``EventTracker`` could not opt out or in.
public struct TrackingError: NovaError {
  /// What failed, why, and what to do next.
  public let description: String

  init(_ description: String) { self.description = "\(description); make the directory writable, and try again" }
}
