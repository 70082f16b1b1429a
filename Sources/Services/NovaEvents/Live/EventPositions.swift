public import NovaCore
import NovaLibc

/// Stores the positions of subscriptions, so that subscriptions continue after a restart of the program.
///
/// Give subscriptions to different topics different names. The SDK adds the user and the gateway to the name, so that
/// their positions stay separate.
public protocol EventPositionStore: Sendable {
  /// The position stored under a name; nil or empty if absent.
  func position(named name: String) async throws -> String?

  /// Stores a position under a name, replacing the earlier one. An empty position means that it has moved to another
  /// name.
  func store(_ position: String, named name: String) async throws
}

/// Stores positions in a directory, one file for each name. Files are replaced atomically: after a crash, a file has
/// either the old position or the new one.
///
/// ```swift
/// let positions = FileEventPositions(directory: "/var/lib/my-service")
/// for try await update in nova.events.subscribe(topics: [.me], resumingAs: "inbox", in: positions) { … }
/// ```
public struct FileEventPositions: EventPositionStore {
  /// The maximum length of a position in bytes.
  private static let limit = 4096

  /// The maximum length of a file's name in bytes, without the extension.
  private static let longestName = 200

  private let directory: String

  /// Creates the store.
  ///
  /// - Parameter directory: the directory of the files. Its parent must exist. The directory is created when a position
  ///   is stored, accessible only to this user.
  public init(directory: String) { self.directory = directory }

  /// - Throws: ``EventPositionError`` if the file exists, but cannot be read.
  public func position(named name: String) async throws -> String? {
    let path = path(of: name)
    let content = await BlockingWork.run {
      Result { () throws(SystemError) in try SystemIO.readFile(path, limit: Self.limit) }
    }
    switch content {
    case .success(let bytes): return bytes.flatMap { $0.isEmpty ? nil : String(decoding: $0, as: UTF8.self) }
    case .failure(let error) where error.code == ENOENT: return nil
    case .failure(let error): throw EventPositionError(action: "read", path: path, reason: "\(error)")
    }
  }

  /// - Throws: ``EventPositionError``.
  public func store(_ position: String, named name: String) async throws {
    let (directory, path) = (directory, path(of: name))
    let result = await BlockingWork.run {
      Result { () throws(SystemError) in
        if mkdir(directory, 0o700) != 0, errno != EEXIST { throw SystemError.last }
        var file = try AtomicFile(for: path, mode: 0o600)
        try file.write(Array(position.utf8))
        try file.publish()
      }
    }
    if case .failure(let error) = result {
      throw EventPositionError(action: "write", path: path, reason: "\(error)")
    }
  }

  private func path(of name: String) -> String {
    var file = PercentEncoding.encode(name)
    if file.utf8.count > Self.longestName {
      file = "\(file.prefix(Self.longestName - 20))~\(String(FNV1a.hash(of: name), radix: 16))"
    }
    return "\(directory)/\(file).position"
  }
}

/// A position could not be read or stored.
public struct EventPositionError: NovaError, Hashable {
  let action: String
  let path: String
  let reason: String

  public var description: String { "cannot \(action) the position \(path.quoted): \(reason)" }
}
