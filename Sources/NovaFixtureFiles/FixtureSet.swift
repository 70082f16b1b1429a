import NovaCore
import NovaFixtures

/// A set of fixture files to write: the same bytes for the same options, on every machine.
///
/// ```swift
/// let options = try FixtureOptions(seed: Seed(42), size: World.Size(users: 1_000), formats: [.ndjson])
/// let manifest = try FixtureSet(options).write(to: "fixtures")
/// print(manifest.recordCount)
/// ```
public struct FixtureSet: Sendable {
  /// What is written.
  public let options: FixtureOptions

  private let exchanges: FixtureExchangeFiles?

  /// A set of fixtures; nothing is written yet.
  ///
  /// - Parameters:
  ///   - options: what is written.
  ///   - exchanges: requests with their answers, written beside it. Default: none.
  public init(_ options: FixtureOptions, exchanges: FixtureExchangeFiles? = nil) {
    self.options = options
    self.exchanges = exchanges
  }

  /// Writes the set into a directory beside `path`, and then puts that in its place: nobody ever sees half of it. Memory
  /// does not grow with the size.
  ///
  /// What was there is replaced when it is a set that this method wrote and nobody changed since, or an empty directory.
  /// Cancelling the task removes what was written so far.
  ///
  /// - Parameters:
  ///   - path: the directory.
  ///   - force: whether any other directory is replaced, too. Default: false.
  ///   - progress: called now and then, from the calling thread.
  /// - Returns: what was written; it also is `manifest.json` in the directory.
  /// - Throws: ``FixtureError``; then everything is as it was before.
  @discardableResult
  public func write(
    to path: String, force: Bool = false, progress: @escaping (FixtureProgress) -> Void = { _ in }
  ) throws(FixtureError) -> FixtureManifest {
    try write(into: OutputDirectory(for: path, force: force), progress: progress)
  }

  /// The same into a place that was claimed before; a place takes one set.
  ///
  /// - Throws: ``FixtureError``; then what was in the place is as it was before.
  @discardableResult
  public func write(
    into directory: OutputDirectory, progress: @escaping (FixtureProgress) -> Void = { _ in }
  ) throws(FixtureError) -> FixtureManifest {
    try directory.checkUnused()
    var writing = Writing(options, directory.path, progress)
    for format in options.formats { try writing.write(format) }
    for file in exchanges?.files ?? [] { try writing.write(file) }
    let manifest = FixtureManifest(options, files: writing.files)
    var file = try OutputFile(creating: "\(directory.path)/\(FixtureManifest.fileName)")
    file.buffer += manifest.json
    _ = try file.finish()
    if Task.isCancelled { throw .cancelled }
    try directory.publish()
    return manifest
  }
}

/// How far writing is.
public struct FixtureProgress: Sendable, Hashable {
  /// The file being written.
  public let file: String
  /// How many records are written.
  public let records: Int
  /// How much of the work is done, 0 to 1.
  public let fraction: Double
}
