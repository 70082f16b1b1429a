/// Checks whether a directory can be replaced.
enum DirectoryClaim {
  /// Returns the directory to replace with symbolic links resolved, so that a link is kept.
  ///
  /// - Parameter force: whether any directory can be replaced.
  /// - Throws: ``FixtureError/refused(_:)`` if the directory contains other files or changed ones.
  static func check(_ path: String, force: Bool) throws(FixtureError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .options("the path of the directory is empty; expected one such as fixtures")
    }
    guard let kind = FileSystem.kind(path, followingLinks: true) else {
      guard FileSystem.kind(path, followingLinks: false) == nil else {
        throw .refused("\(path) is a broken link; expected a directory or a new path")
      }
      return path
    }
    guard kind == .directory else { throw .refused("\(path) is not a directory; expected a directory or a new path") }
    let resolved = FileSystem.resolved(path) ?? path
    if !force { try checkContents(resolved) }
    return resolved
  }

  private static func checkContents(_ path: String) throws(FixtureError) {
    // The directory must not even contain empty directories.
    let names = try FileSystem.names(in: path)
    if names.isEmpty { return }
    guard names.contains(FixtureManifest.fileName) else {
      throw refusal(path, "it is not empty, and nova fixtures did not write it")
    }
    let manifest: FixtureManifest
    do throws(FixtureError) { manifest = try FixtureManifest(reading: path) } catch { throw refusal(path, "\(error)") }
    // Only now: another directory may be the whole disk.
    let found = Set(try FileSystem.files(below: path))
    let known = Set(manifest.files.map(\.name) + [FixtureManifest.fileName])
    if let stranger = found.subtracting(known).min() {
      throw refusal(path, "nova fixtures did not write \(stranger)")
    }
    for file in manifest.files where found.contains(file.name) {
      guard try file.isUnchanged(in: path) else {
        throw refusal(path, "\(file.name) was changed since nova fixtures wrote it")
      }
    }
  }

  /// A refusal of a directory that `force` replaces.
  private static func refusal(_ path: String, _ reason: String) -> FixtureError {
    .refused("cannot replace \(path): \(reason); choose another directory, or replace it with --force")
  }
}
