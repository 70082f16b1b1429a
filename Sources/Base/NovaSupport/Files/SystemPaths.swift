package import NovaLibc

// The system's functions that take a path, for texts of paths. Swift would pass such a text as UTF-8, instead of the
// bytes that it represents. The compiler prefers these functions to the system's, so no caller can forget them. Calls
// must not name the system's module (`NovaLibc.open`), which would bypass them. Results can be ignored, as in C.

@discardableResult

package func open(_ path: String, _ flags: Int32) -> Int32 { path.withPath { open($0, flags) } }

@discardableResult

package func open(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 { path.withPath { open($0, flags, mode) } }

@discardableResult

package func stat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> Int32 { path.withPath { stat($0, status) } }

@discardableResult

package func lstat(_ path: String, _ status: UnsafeMutablePointer<stat>) -> Int32 {
  path.withPath { lstat($0, status) }
}

@discardableResult

package func access(_ path: String, _ mode: Int32) -> Int32 { path.withPath { access($0, mode) } }

@discardableResult

package func chmod(_ path: String, _ mode: mode_t) -> Int32 { path.withPath { chmod($0, mode) } }

@discardableResult

package func unlink(_ path: String) -> Int32 { path.withPath { unlink($0) } }

@discardableResult

package func mkdir(_ path: String, _ mode: mode_t) -> Int32 { path.withPath { mkdir($0, mode) } }

@discardableResult

package func rmdir(_ path: String) -> Int32 { path.withPath { rmdir($0) } }

@discardableResult

package func rename(_ path: String, _ other: String) -> Int32 {
  path.withPath { path in other.withPath { rename(path, $0) } }
}

@discardableResult

package func link(_ path: String, _ other: String) -> Int32 {
  path.withPath { path in other.withPath { link(path, $0) } }
}

@discardableResult

package func readlink(_ path: String, _ buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> Int {
  path.withPath { readlink($0, buffer, size) }
}

@discardableResult

package func realpath(
  _ path: String, _ buffer: UnsafeMutablePointer<CChar>?
) -> UnsafeMutablePointer<CChar>? { path.withPath { realpath($0, buffer) } }

#if canImport(Darwin)
  @discardableResult
  package func opendir(_ path: String) -> UnsafeMutablePointer<DIR>? { path.withPath { opendir($0) } }
#else
  @discardableResult
  package func opendir(_ path: String) -> OpaquePointer? { path.withPath { opendir($0) } }
#endif

/// Copies an argument or a variable for another program.
@discardableResult
package func strdup(_ text: String) -> UnsafeMutablePointer<CChar>? { text.withPath { strdup($0) } }

@discardableResult

package func execv(_ path: String, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Int32 {
  path.withPath { execv($0, arguments) }
}

/// An environment variable, as the text of a path; nil if it is not set.
package func environmentVariable(_ name: String) -> String? { getenv(name).map { String(path: $0) } }

/// The working directory; nil if the system does not report it, with the reason in `errno`.
package func workingDirectory() -> String? {
  guard let path = getcwd(nil, 0) else { return nil }
  defer { free(path) }
  return String(path: path)
}
