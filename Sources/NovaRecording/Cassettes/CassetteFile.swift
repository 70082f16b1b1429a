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
  private var file: AtomicFile
  private var length: Int

  /// Creates the file with its header. Where one is replaced, there is a whole cassette under its name at any time.
  ///
  /// - Throws: ``CassetteError``, also when there is a file that must not be replaced.
  init(_ path: String, createdAt: Int64, replacing: Bool) throws(CassetteError) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw CassetteError("expected the path of a cassette's file") }
    if !replacing, access(path, F_OK) == 0 {
      throw CassetteError("\(path): there is a file already. Remove it, or record with replacing: true.")
    }
    self.path = path
    do throws(SystemError) {
      var file = try AtomicFile(for: path, mode: 0o600, appends: true)
      let header = Cassette.header(createdAt: createdAt)
      try file.write(header)
      try file.publish()
      length = header.count
      self.file = file
    } catch {
      throw Self.failure(path, "create", error)
    }
  }

  /// Adds a line. One that cannot be written whole is taken back.
  func append(_ line: [UInt8]) throws(CassetteError) {
    do throws(SystemError) { try file.write(line) } catch {
      _ = ftruncate(file.descriptor, off_t(length))
      throw Self.failure(path, "write", error)
    }
    length += line.count
  }

  /// Makes sure that the file outlives the machine's next failure.
  func sync() throws(CassetteError) {
    guard fsync(file.descriptor) == 0 else { throw Self.failure(path, "write") }
  }

  fileprivate static func failure(_ path: String, _ step: String, _ error: SystemError = .last) -> CassetteError {
    CassetteError("\(path): cannot \(step) the cassette: \(error.reason)")
  }
}

extension Cassette {
  /// Reads a cassette's file.
  ///
  /// - Throws: ``CassetteError``.
  public init(path: String) throws(CassetteError) {
    guard !path.utf8.contains(0) else { throw CassetteError("expected the path of a cassette's file") }
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SystemIO.readFile(path) ?? [] } catch {
      throw CassetteFile.failure(path, "read", error)
    }
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
