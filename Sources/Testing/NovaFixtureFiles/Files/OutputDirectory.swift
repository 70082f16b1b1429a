import CNovaFiles
import NovaCore
import NovaLibc

/// A temporary directory that atomically replaces its target: readers see the complete old or the complete new
/// directory.
///
/// Create it before expensive work to find out early whether the target can be written. An unpublished directory is
/// removed when the object is released.
public final class OutputDirectory {
  /// The temporary directory until ``publish()``.
  let path: String
  /// The suffix of a directory that must not be removed.
  private static let keptSuffix = "-old"
  let target: String
  private let lock: Int32
  private var isDone = false

  /// Creates the temporary directory, and removes those of killed runs.
  ///
  /// - Parameters:
  ///   - path: the target: a new path, an empty directory, or an unchanged set of fixtures.
  ///   - force: whether any other directory can be replaced. Default: false.
  /// - Throws: ``FixtureError``; nothing is changed then.
  public convenience init(for path: String, force: Bool = false) throws(FixtureError) {
    try self.init(claimed: DirectoryClaim.check(path, force: force))
  }

  private init(claimed target: String) throws(FixtureError) {
    let (parent, name) = Self.split(target)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw .refused("cannot replace \(target): it has no name of its own; use the path of a named directory")
    }
    self.target = "\(parent)/\(name)"
    let prefix = ".\(name).nova-fixtures-"
    guard FileSystem.kind(parent, followingLinks: true) == .directory else {
      throw .failed("cannot create \(target): there is no directory \(parent); create it")
    }
    Self.removeLeftovers(in: parent, prefix)
    path = "\(parent)/\(prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try FileSystem.createDirectory(path)
    // The lock shows other runs that this one is active.
    guard let lock = FileSystem.lock(path) else {
      let failure = FileSystem.failure(path, to: "lock")
      FileSystem.removeTree(path)
      throw failure
    }
    self.lock = lock
  }

  deinit {
    if !isDone { FileSystem.removeTree(path) }
    SystemIO.unlockAndClose(lock)
  }

  /// Throws if the directory was already published.
  func checkUnused() throws(FixtureError) {
    if isDone { throw .failed("cannot write \(target) twice: create an OutputDirectory for each set") }
  }

  /// Writes the manifest, and replaces the target with the directory.
  func publish(_ manifest: FixtureManifest) throws(FixtureError) -> FixtureManifest {
    var file = try OutputFile(creating: "\(path)/\(FixtureManifest.fileName)")
    file.buffer += manifest.json
    _ = try file.finish()
    if Task.isCancelled { throw .cancelled }
    try publish()
    return manifest
  }

  /// Replaces the target with the directory.
  private func publish() throws(FixtureError) {
    try? SystemIO.synchronizeDirectory(path)
    if FileSystem.kind(target, followingLinks: false) == nil {
      try FileSystem.move(path, to: target)
    } else {
      try exchange()
    }
    isDone = true
    try? SystemIO.synchronizeDirectory(Self.split(target).parent)
  }

  private func exchange() throws(FixtureError) {
    if path.withPath({ path in target.withPath { nova_exchange(path, $0) } }) != 0 {
      guard errno == ENOTSUP else { throw FileSystem.failure(target, to: "replace") }
      try exchangeInTwoSteps()
    }
    // The temporary path now contains the old directory.
    FileSystem.removeTree(path)
  }

  /// Replaces the target on file systems that cannot exchange names; for a moment the target does not exist.
  private func exchangeInTwoSteps() throws(FixtureError) {
    let old = path + Self.keptSuffix
    try FileSystem.move(target, to: old)
    do throws(FixtureError) {
      try FileSystem.move(path, to: target)
    } catch {
      try FileSystem.move(old, to: target)
      throw error
    }
    try FileSystem.move(old, to: path)
  }

  private static func removeLeftovers(in parent: String, _ prefix: String) {
    for name in (try? FileSystem.names(in: parent)) ?? []
    where name.hasPrefix(prefix) && !name.hasSuffix(Self.keptSuffix) {
      guard let lock = FileSystem.lock("\(parent)/\(name)") else { continue }
      FileSystem.removeTree("\(parent)/\(name)")
      SystemIO.unlockAndClose(lock)
    }
  }

  /// Splits a path into its directory and name.
  static func split(_ path: String) -> (parent: String, name: String) {
    let trimmed = path.reversed().drop { $0 == "/" }.reversed()
    let whole = String(trimmed)
    guard let slash = whole.lastIndex(of: "/") else { return (".", whole) }
    let parent = whole[..<slash]
    return (parent.isEmpty ? "/" : String(parent), String(whole[whole.index(after: slash)...]))
  }
}
