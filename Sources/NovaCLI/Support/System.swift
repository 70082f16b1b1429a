#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A call to the system that failed.
struct SystemError: Error {
  let code: Int32

  /// The reason in the system's words: `No such file or directory`.
  var reason: String {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Whether nobody reads the other end of a pipe any more.
  var isClosedPipe: Bool { code == EPIPE }
}

/// What the program needs of the system.
enum System {
  static let standardInput: Int32 = 0
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Writes everything.
  static func write(_ bytes: some Collection<UInt8>, to descriptor: Int32) throws(SystemError) {
    let all = Array(bytes)
    var start = 0
    while start < all.count {
      let count = all[start...].withUnsafeBytes { part in
        #if canImport(Glibc)
          Glibc.write(descriptor, part.baseAddress, part.count)
        #elseif canImport(Musl)
          Musl.write(descriptor, part.baseAddress, part.count)
        #else
          Darwin.write(descriptor, part.baseAddress, part.count)
        #endif
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw SystemError(code: errno) }
      start += count
    }
  }

  /// Reads to the end, or nil when there is more than `limit` bytes.
  static func readAll(_ descriptor: Int32, limit: Int) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(descriptor, &chunk, chunk.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, &chunk, chunk.count)
      #else
        let count = Darwin.read(descriptor, &chunk, chunk.count)
      #endif
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemError(code: errno) }
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > limit { return nil }
    }
  }

  /// Reads a file to its end, or nil when there is more than `limit` bytes.
  static func readFile(_ path: String, limit: Int) throws(SystemError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    defer { close(descriptor) }
    return try readAll(descriptor, limit: limit)
  }

  static func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Makes writing to a closed pipe or socket an error instead of the end of the program.
  static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Ends the program the ordinary way.
  static func exit(_ status: ExitStatus) -> Never {
    #if canImport(Glibc)
      Glibc.exit(status.rawValue)
    #elseif canImport(Musl)
      Musl.exit(status.rawValue)
    #else
      Darwin.exit(status.rawValue)
    #endif
  }

  /// Ends the program at once, whatever is under way.
  static func exitNow(_ status: ExitStatus) -> Never { _exit(status.rawValue) }
}
