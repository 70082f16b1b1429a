import NovaLibc

/// A path in a directory of this process's own, in memory where the system has that.
enum TemporaryFile {
  static let path = directory + "/input"

  private static let directory: String = {
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/nova-fuzz-XXXXXX".utf8CString)
    guard template.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap(mkdtemp) }) != nil else {
      fatalError("cannot create a directory in \(parent)")
    }
    atexit {
      TemporaryFile.clear()
      _ = rmdir(TemporaryFile.directory)
    }
    return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }()

  /// Puts a file with these bytes there while `body` runs.
  static func with<Result>(_ bytes: [UInt8], _ body: (String) -> Result) -> Result {
    write(bytes)
    defer { clear() }
    return body(path)
  }

  /// Removes the file and what was put beside it.
  private static func clear() {
    guard let folder = opendir(directory) else { return }
    defer { closedir(folder) }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      unlink("\(directory)/\(name)")
    }
  }

  static func write(_ bytes: [UInt8]) {
    unlink(path)
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    defer { close(file) }
    guard file >= 0, NovaLibc.write(file, bytes, bytes.count) == bytes.count else { fatalError("cannot write \(path)") }
  }

  static func read() -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { fatalError("cannot read \(path)") }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = NovaLibc.read(file, &buffer, buffer.count), count > 0 { bytes += buffer.prefix(count) }
    return bytes
  }
}
