#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Why a file cannot keep a backend's state.
public struct StateFileError: Error, CustomStringConvertible {
  /// What happened, and what to do next.
  public let description: String

  init(_ path: String, _ problem: String) { description = "the state file \(path) \(problem)" }

  /// A call of the system that failed.
  static func system(_ path: String, _ action: String, _ code: Int32 = errno) -> StateFileError {
    StateFileError(path, "cannot be \(action): \(String(cString: strerror(code)))")
  }
}
