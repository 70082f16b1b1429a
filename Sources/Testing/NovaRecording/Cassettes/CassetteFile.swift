import NovaCore
import NovaLibc

/// The file of a cassette during recording.
///
/// Each line is appended with one call, so a recording that is killed leaves complete lines and at most one incomplete
/// line. Only the owner can read the file, in case masking misses a secret.
final class CassetteFile {
  private let path: String
  private let replacing: Bool
  private let toReplace: String
  private var file: AtomicFile
  private var length: Int

  /// Creates the file with its header. An existing file is replaced atomically.
  ///
  /// - Parameters:
  ///   - publishes: whether the file is in its place at once. Otherwise, ``publish()`` moves it there.
  ///   - toReplace: how an existing file can be replaced, for the error.
  /// - Throws: ``CassetteError``, for example if a file exists and `replacing` is false.
  init(
    _ path: String, createdAt: Int64, replacing: Bool, publishes: Bool = true,
    toReplace: String = "record with replacing: true"
  ) throws(CassetteError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw CassetteError("invalid path of a cassette: it is empty or contains NUL; use the path of a file")
    }
    (self.path, self.replacing, self.toReplace) = (path, replacing, toReplace)
    do throws(SystemError) {
      let file = try AtomicFile(for: path, mode: 0o600, appends: true)
      let header = Cassette.header(createdAt: createdAt)
      try file.write(header)
      length = header.count
      self.file = file
    } catch {
      throw Self.failure(path, to: "create", error)
    }
    if publishes { try publish() }
  }

  /// Moves the file into its place. Until then, an existing file stays.
  func publish() throws(CassetteError) {
    let isPublished: Bool
    do throws(SystemError) {
      isPublished = try file.publish(replacing ? .replacing : .keepingExisting)
    } catch {
      throw Self.failure(path, to: "create", error)
    }
    guard isPublished else {
      throw CassetteError("cannot create \(path): the file exists; remove it, or \(toReplace)")
    }
  }

  /// Appends a line, and removes a partially written one.
  func append(_ line: [UInt8]) throws(CassetteError) {
    do throws(SystemError) { try file.write(line) } catch {
      _ = ftruncate(file.descriptor, off_t(length))
      throw Self.failure(path, to: "write", error)
    }
    length += line.count
  }

  /// Flushes the file to disk.
  func sync() throws(CassetteError) {
    guard fsync(file.descriptor) == 0 else { throw Self.failure(path, to: "write") }
  }

  fileprivate static func failure(_ path: String, to step: String, _ error: SystemError = .last) -> CassetteError {
    CassetteError("cannot \(step) the cassette \(path): \(error.reason)")
  }
}

extension Cassette {
  /// Reads a cassette's file, or an HTTP Archive (HAR).
  ///
  /// - Throws: ``CassetteError``.
  public init(path: String) throws(CassetteError) {
    guard !path.utf8.contains(0) else {
      throw CassetteError("invalid path of a cassette: it is empty or contains NUL; use the path of a file")
    }
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try SystemIO.readFile(path, .any) ?? [] } catch {
      throw CassetteFile.failure(path, to: "read", error)
    }
    if Self.isArchive(bytes) {
      try self.init(har: bytes, name: path)
    } else {
      try self.init(jsonLines: bytes, name: path)
    }
  }

  /// Writes the cassette to a file with mode 600, and replaces an existing one.
  ///
  /// - Throws: ``CassetteError``.
  public func write(to path: String) throws(CassetteError) {
    let file = try CassetteFile(path, createdAt: createdAt, replacing: true)
    for interaction in interactions { try file.append(interaction.line) }
    try file.sync()
  }
}
