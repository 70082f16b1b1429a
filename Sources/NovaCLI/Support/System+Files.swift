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
  static func replaceFile(_ path: String, with bytes: [UInt8], mode: UInt32 = 0o666) throws(SystemError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemError.last }
      defer { close(descriptor) }
      try SystemIO.write(bytes, to: descriptor)
      return try SystemIO.synchronize(descriptor)
    }
    var file = try AtomicFile(for: path, mode: mode)
    try file.write(bytes)
    try SystemIO.synchronize(file.descriptor)
    try file.publish()
  }
}
