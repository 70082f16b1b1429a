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
  static func replaceFile(_ path: String, with bytes: [UInt8]) throws(SystemError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      return try writeFile(path, bytes, flags: O_WRONLY | O_CLOEXEC)
    }
    let temporary = "\(path).\(getpid()).new"
    do throws(SystemError) {
      try writeFile(temporary, bytes, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
      guard rename(temporary, path) == 0 else { throw SystemError(code: errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func writeFile(_ path: String, _ bytes: [UInt8], flags: Int32) throws(SystemError) {
    let descriptor = open(path, flags, 0o666)
    guard descriptor >= 0 else { throw SystemError(code: errno) }
    defer { close(descriptor) }
    try write(bytes, to: descriptor)
    // Pipes and devices cannot be synchronised, and need not be.
    guard fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP else { throw SystemError(code: errno) }
  }
}
