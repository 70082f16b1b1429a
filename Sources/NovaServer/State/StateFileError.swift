public import NovaCore

/// Why a file cannot keep a backend's state.
public struct StateFileError: NovaError {
  /// What happened, and what to do next.
  public let description: String

  init(_ path: String, _ problem: String) { description = "the state file \(path) \(problem)" }

  /// A call of the system that failed.
  static func system(_ path: String, _ action: String, _ error: SystemError = .last) -> StateFileError {
    StateFileError(path, "cannot be \(action): \(error.reason)")
  }
}
