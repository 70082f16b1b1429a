import CNovaFiles

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A directory that is filled beside the one whose place it takes: whoever looks there sees all of the old one or all of
/// the new one, whatever happens in between.
///
/// Making one says early whether a set may be written there, before the work that goes into it. What was not published is
/// removed with the object.
public final class OutputDirectory {
  /// Where files go until ``publish()``.
  let path: String
  /// Of what must not be lost.
  private static let keptSuffix = "-old"
  private let target: String
  private let lock: Int32
  private var isDone = false

  /// Creates it. What a run that was killed has left behind is removed.
  ///
  /// - Parameters:
  ///   - path: the place that it takes. There may be an empty directory, or a set that nobody changed.
  ///   - force: whether any other directory may be replaced, too. Default: false.
  /// - Throws: ``FixtureError``; then everything is as it was before.
  public convenience init(for path: String, force: Bool = false) throws(FixtureError) {
    try self.init(claimed: DirectoryClaim.check(path, force: force))
  }

  private init(claimed target: String) throws(FixtureError) {
    let (parent, name) = Self.split(target)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw .refused("\(target) cannot be replaced; expected the path of a directory that has a name of its own")
    }
    self.target = "\(parent)/\(name)"
    let prefix = ".\(name).nova-fixtures-"
    guard FileSystem.kind(parent, followingLinks: true) == .directory else {
      throw .failed("cannot create \(target): there is no directory \(parent)")
    }
    Self.removeLeftovers(in: parent, prefix)
    path = "\(parent)/\(prefix)\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try FileSystem.createDirectory(path)
    // Tells other runs that this one is alive.
    guard let lock = FileSystem.lock(path) else {
      let failure = FileSystem.failure(path, "lock")
      FileSystem.removeTree(path)
      throw failure
    }
    self.lock = lock
  }

  deinit {
    if !isDone { FileSystem.removeTree(path) }
    close(lock)
  }

  /// It takes one set: afterwards there is nothing to fill any more.
  func checkUnused() throws(FixtureError) {
    if isDone { throw .failed("\(target) was written already; expected a new OutputDirectory for each set") }
  }

  /// Puts the directory in its place, in exchange for what is there.
  func publish() throws(FixtureError) {
    FileSystem.synchronizeDirectory(path)
    if FileSystem.kind(target, followingLinks: false) == nil {
      try FileSystem.move(path, to: target)
    } else {
      try exchange()
    }
    isDone = true
    FileSystem.synchronizeDirectory(Self.split(target).parent)
  }

  private func exchange() throws(FixtureError) {
    if nova_exchange(path, target) != 0 {
      guard errno == ENOTSUP else { throw FileSystem.failure(target, "replace") }
      try exchangeInTwoSteps()
    }
    // The old one, under the temporary name.
    FileSystem.removeTree(path)
  }

  /// For file systems that cannot exchange names: for a moment there is nothing in the place.
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
      close(lock)
    }
  }

  /// The directory something is in, and its name there.
  private static func split(_ path: String) -> (parent: String, name: String) {
    let trimmed = path.reversed().drop { $0 == "/" }.reversed()
    let whole = String(trimmed)
    guard let slash = whole.lastIndex(of: "/") else { return (".", whole) }
    let parent = whole[..<slash]
    return (parent.isEmpty ? "/" : String(parent), String(whole[whole.index(after: slash)...]))
  }
}
