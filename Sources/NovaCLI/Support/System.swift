import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension SystemError {
  /// Whether the other end of a pipe is closed.
  var isClosedPipe: Bool { code == EPIPE }
}

/// System functions in addition to `SystemIO`.
enum System {
  static let standardInput: Int32 = 0
  static let standardOutput: Int32 = 1
  static let standardError: Int32 = 2

  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// An environment variable; nil if it is empty.
  static func variable(_ name: String) -> String? {
    getenv(name).flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
  }

  static func fileExists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Makes writing to a closed pipe or socket an error instead of terminating the program.
  static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Exits normally.
  static func exit(_ status: ExitStatus) -> Never {
    #if canImport(Glibc)
      Glibc.exit(status.rawValue)
    #elseif canImport(Musl)
      Musl.exit(status.rawValue)
    #else
      Darwin.exit(status.rawValue)
    #endif
  }

  /// Exits at once.
  static func exitNow(_ status: ExitStatus) -> Never { _exit(status.rawValue) }

  /// Replaces this process by another program. Returns only if that fails.
  static func replaceProcess(with path: String, _ arguments: [String]) -> SystemError {
    var pointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &pointers)
    let error = SystemError.last
    pointers.forEach { free($0) }
    return error
  }

  /// The path of another program in this program's folder.
  static func siblingPath(_ name: String) -> String {
    let path = executablePath
    return path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)] + name
  }

  /// The path of this program, with links resolved.
  private static var executablePath: String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    #if canImport(Darwin)
      var size = UInt32(buffer.count)
      guard _NSGetExecutablePath(&buffer, &size) == 0 else { return CommandLine.arguments[0] }
    #else
      guard readlink("/proc/self/exe", &buffer, Int(PATH_MAX)) > 0 else { return CommandLine.arguments[0] }
    #endif
    guard let resolved = realpath(buffer, nil) else { return CommandLine.arguments[0] }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
