#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Small files, read whole.
enum FileContents {
  /// Whether there is something under this path, readable or not.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  /// Why the file cannot be read, or nil when it can.
  static func problem(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return reason(errno) }
    close(descriptor)
    return nil
  }

  /// The file's bytes.
  ///
  /// - Parameters:
  ///   - limit: The most bytes the file may have.
  ///   - name: Who named the file, for the error.
  static func read(
    _ path: String, limit: Int, named name: String, from source: ConfigurationSource
  ) throws(ConfigurationError) -> [UInt8] {
    func refusal(_ expected: String) -> ConfigurationError {
      ConfigurationError(key: name, value: path.quoted, source: source, expected: expected)
    }
    guard !path.utf8.contains(0) else { throw refusal(SettingKind.path.expectation) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw refusal("a file that can be read (\(reason(errno)))") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(descriptor, &chunk, chunk.count)
      #elseif canImport(Musl)
        let count = Musl.read(descriptor, &chunk, chunk.count)
      #else
        let count = Glibc.read(descriptor, &chunk, chunk.count)
      #endif
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw refusal("a file that can be read (\(reason(errno)))")
      }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= limit else { throw refusal("a file of at most \(limit) bytes") }
    }
  }

  private static func reason(_ code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    _ = strerror_r(code, &buffer, buffer.count)
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
