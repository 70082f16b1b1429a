public import NovaCore
import NovaFixtures

/// A set of fixture files to write: the same bytes for the same options, on every machine.
///
/// ```swift
/// let options = try FixtureOptions(seed: Seed(42), size: World.Size(users: 1_000), formats: [.ndjson])
/// let manifest = try FixtureSet(options).write(to: "fixtures")
/// print(manifest.recordCount)
/// ```
public struct FixtureSet: Sendable {
  /// The contents and formats.
  public let options: FixtureOptions

  private let exchanges: FixtureExchangeFiles?
  private let shard: FixtureShard?

  /// Creates a set of fixtures without writing it.
  ///
  /// - Parameters:
  ///   - options: the contents and formats.
  ///   - exchanges: requests and responses to include; only the first shard writes them. Default: none.
  ///   - shard: the part to write, for ``FixtureMerge``. Default: nil, for the complete set.
  public init(_ options: FixtureOptions, exchanges: FixtureExchangeFiles? = nil, shard: FixtureShard? = nil) {
    self.options = options
    self.exchanges = shard?.hasExchanges == false ? nil : exchanges
    self.shard = shard
  }

  /// Writes the set to a temporary directory and atomically moves it to `path`. Memory use does not depend on the size.
  ///
  /// An empty directory or an unchanged set of fixtures at the path is replaced. Cancelling the task removes everything
  /// written so far.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - force: whether any other directory is replaced. Default: false.
  ///   - progress: called periodically from the calling thread.
  /// - Returns: the manifest, which is also `manifest.json` in the directory.
  /// - Throws: ``FixtureError``; nothing is changed then.
  @discardableResult
  public func write(
    to path: String, force: Bool = false, progress: @escaping (FixtureProgress) -> Void = { _ in }
  ) throws(FixtureError) -> FixtureManifest {
    try write(into: OutputDirectory(for: path, force: force), progress: progress)
  }

  /// Writes the set to a directory created before. Each directory takes one set.
  ///
  /// - Throws: ``FixtureError``; the target is unchanged then.
  @discardableResult
  public func write(
    into directory: OutputDirectory, progress: @escaping (FixtureProgress) -> Void = { _ in }
  ) throws(FixtureError) -> FixtureManifest {
    try directory.checkUnused()
    var writing = Writing(options, shard: shard?.part, directory: directory.path, report: progress)
    for format in options.formats { try writing.write(format) }
    for file in exchanges?.files ?? [] { try writing.write(file) }
    return try directory.publish(FixtureManifest(options, files: writing.files, shard: shard))
  }
}

/// The progress of writing or checking.
public struct FixtureProgress: Sendable, Hashable {
  /// The current file.
  public let file: String
  /// The number of records so far.
  public let records: Int
  /// The completed fraction, 0 to 1.
  public let fraction: Double
}

/// An error while writing, checking, or comparing fixtures. Partially written files are removed.
public enum FixtureError: NovaError, Hashable {
  /// Invalid or contradictory options.
  case options(String)
  /// The target contains files that would be lost.
  case refused(String)
  /// A failure of the system or a library, such as missing space or permissions.
  case failed(String)
  /// A directory that is not a set of fixtures, or a set that this version cannot read.
  case unreadable(String)
  /// The task was cancelled.
  case cancelled

  /// The problem, where it occurred, and what was expected.
  public var description: String {
    switch self {
    case .options(let text), .refused(let text), .failed(let text), .unreadable(let text): text
    case .cancelled: "cancelled"
    }
  }
}
