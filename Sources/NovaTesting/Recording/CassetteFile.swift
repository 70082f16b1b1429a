#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import NovaCore

/// A cassette's file while it is recorded.
///
/// Each line is written with one call and behind the last one, so a recording that is killed leaves whole lines and at
/// most one piece. Only the owner may read the file: masking finds secrets, but no stranger should have to trust it.
final class CassetteFile {
  private let path: String
  private let descriptor: Int32
  private var length = 0

  /// Creates the file with its header. Where one is replaced, there is a whole cassette under its name at any time.
  ///
  /// - Throws: ``CassetteError``, also when there is a file that must not be replaced.
  init(_ path: String, createdAt: Int64, replacing: Bool) throws(CassetteError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw CassetteError("expected the path of a cassette's file") }
    if !replacing, access(path, F_OK) == 0 {
      throw CassetteError("\(path): there is a file already. Remove it, or record with replacing: true.")
    }
    self.path = path
    let temporary = "\(path).\(getpid()).tmp"
    unlink(temporary)
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure(path, "create") }
    do throws(CassetteError) {
      try append(Cassette.header(createdAt: createdAt))
      guard rename(temporary, path) == 0 else { throw Self.failure(path, "create") }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Adds a line. One that cannot be written whole is taken back.
  func append(_ line: [UInt8]) throws(CassetteError) {
    var written = 0
    while written < line.count {
      let count = line.withUnsafeBytes { bytes in systemWrite(descriptor, bytes[written...]) }
      if count < 0 {
        if errno == EINTR { continue }
        let failure = Self.failure(path, "write")
        _ = ftruncate(descriptor, off_t(length))
        throw failure
      }
      written += count
    }
    length += line.count
  }

  /// Makes sure that the file outlives the machine's next failure.
  func sync() throws(CassetteError) {
    guard fsync(descriptor) == 0 else { throw Self.failure(path, "write") }
  }

  private static func failure(_ path: String, _ step: String) -> CassetteError {
    CassetteError("\(path): cannot \(step) the cassette: \(String(cString: strerror(errno)))")
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: Slice<UnsafeRawBufferPointer>) -> Int {
  let bytes = UnsafeRawBufferPointer(rebasing: bytes)
  #if canImport(Darwin)
    return Darwin.write(descriptor, bytes.baseAddress, bytes.count)
  #elseif canImport(Musl)
    return Musl.write(descriptor, bytes.baseAddress, bytes.count)
  #else
    return Glibc.write(descriptor, bytes.baseAddress, bytes.count)
  #endif
}

extension Cassette {
  /// Reads a cassette's file.
  ///
  /// - Throws: ``CassetteError``.
  public init(path: String) throws(CassetteError) {
    guard !path.utf8.contains(0), let file = fopen(path, "rbe") else {
      throw CassetteError("\(path): cannot read the cassette: \(String(cString: strerror(errno)))")
    }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&chunk, 1, chunk.count, file)
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard ferror(file) == 0 else { throw CassetteError("\(path): the cassette could not be read to its end") }
    try self.init(jsonLines: bytes, name: path)
  }

  /// Writes the cassette into a file, mode 600, in place of one that may be there.
  ///
  /// - Throws: ``CassetteError``.
  public func write(to path: String) throws(CassetteError) {
    let file = try CassetteFile(path, createdAt: createdAt, replacing: true)
    for interaction in interactions { try file.append(interaction.line) }
    try file.sync()
  }
}
