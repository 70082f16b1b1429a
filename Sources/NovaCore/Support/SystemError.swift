#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A call to the system that failed.
package struct SystemError: Error, Hashable {
  /// The system's number for it.
  package let code: Int32

  package init(code: Int32) { self.code = code }

  /// That of the call that has just failed.
  package static var last: SystemError { SystemError(code: errno) }

  /// The reason in the system's words: `No such file or directory`.
  package var reason: String {
    var buffer = [CChar](repeating: 0, count: 256)
    // Unlike strerror, safe on any thread.
    _ = strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
