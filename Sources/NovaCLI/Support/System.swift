import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension SystemError {
  /// Whether nobody reads the other end of a pipe any more.
  var isClosedPipe: Bool { code == EPIPE }
}

/// What the program needs of the system, beside `SystemIO`.
enum System {
  static let standardInput: Int32 = 0
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

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
