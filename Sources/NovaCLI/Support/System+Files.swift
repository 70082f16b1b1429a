import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension System {
  /// Puts `bytes` in the place of a file: whoever reads it sees all of the old one or all of the new one. What is no
  /// file (`/dev/null`, a pipe) is written to.
  ///
  /// - Parameter mode: the permissions of a new file, before the process's umask is applied.
  static func replaceFile(_ path: String, with bytes: [UInt8], mode: mode_t = 0o666) throws(SystemError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      return try writeFile(path, bytes, flags: O_WRONLY | O_CLOEXEC)
    }
    let temporary = "\(path).\(getpid()).new"
    do throws(SystemError) {
      try writeFile(temporary, bytes, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode: mode)
      guard rename(temporary, path) == 0 else { throw SystemError.last }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func writeFile(
    _ path: String, _ bytes: [UInt8], flags: Int32, mode: mode_t = 0o666
  ) throws(SystemError) {
    let descriptor = open(path, flags, mode)
    guard descriptor >= 0 else { throw SystemError.last }
    defer { close(descriptor) }
    try SystemIO.write(bytes, to: descriptor)
    try SystemIO.synchronize(descriptor)
  }
}
