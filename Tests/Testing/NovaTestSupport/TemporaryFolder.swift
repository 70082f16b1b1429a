import Foundation

/// A folder of its own, for nobody else, that goes when the value does.
public final class TemporaryFolder: Sendable {
  public let path: String

  public init() throws {
    path = FileManager.default.temporaryDirectory.appending(path: "nova-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// Removes it with all that is in it. It goes from its place first: what still writes there must not add files while
  /// others are being removed.
  public func remove() throws {
    let removed = "\(path)-removed"
    try FileManager.default.moveItem(atPath: path, toPath: removed)
    try FileManager.default.removeItem(atPath: removed)
  }

  deinit { try? remove() }

  /// The names of the files, in order.
  public var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  public func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: url(name))) }

  /// Writes a file and gives its path.
  public func write(_ text: String, to name: String = "APIConfig.json") throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a file and gives its path.
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    try Data(bytes).write(to: url(name))
    return url(name).path
  }

  private func url(_ name: String) -> URL { URL(filePath: "\(path)/\(name)") }
}
