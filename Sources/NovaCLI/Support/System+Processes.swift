import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  /// Puts another program in the place of this one. Returns only when that fails.
  static func replaceProcess(with path: String, _ arguments: [String]) -> SystemError {
    var pointers: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    execv(path, &pointers)
    let error = SystemError.last
    pointers.forEach { free($0) }
    return error
  }

  /// The path of a program in this program's folder.
  static func siblingPath(_ name: String) -> String {
    let path = executablePath
    return path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)] + name
  }

  /// Where this program is, links resolved.
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
