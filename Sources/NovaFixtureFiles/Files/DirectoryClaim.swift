/// Whether what is in the place of a new set may be lost.
enum DirectoryClaim {
  /// The directory to replace, links resolved, so that a link stays one.
  ///
  /// - Parameter force: whether anything that is a directory may be lost.
  /// - Throws: ``FixtureError/refused(_:)`` for what this program did not write, or what was changed since.
  static func check(_ path: String, force: Bool) throws(FixtureError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw .options("the path of the directory is empty; expected one such as fixtures")
    }
    guard let kind = FileSystem.kind(path, followingLinks: true) else {
      guard FileSystem.kind(path, followingLinks: false) == nil else {
        throw .refused("\(path) is a link that leads nowhere; expected a directory, or nothing")
      }
      return path
    }
    guard kind == .directory else { throw .refused("\(path) is no directory; expected a directory, or nothing") }
    let resolved = FileSystem.resolved(path) ?? path
    if !force { try checkContents(resolved) }
    return resolved
  }

  private static func checkContents(_ path: String) throws(FixtureError) {
    let found = Set(try FileSystem.files(below: path))
    // Not even directories.
    let names = try FileSystem.names(in: path)
    if names.isEmpty { return }
    let manifest: FixtureManifest
    do throws(FixtureError) {
      manifest = try FixtureManifest(reading: path)
    } catch {
      throw .refused("\(path) is not empty, and nova fixtures did not write it (\(error)). It is left as it is.")
    }
    let known = Set(manifest.files.map(\.name) + [FixtureManifest.fileName])
    if let stranger = found.subtracting(known).min() {
      throw .refused("\(path) holds \(stranger), which nova fixtures did not write. It is left as it is.")
    }
    for file in manifest.files where found.contains(file.name) {
      guard try file.isUnchanged(in: path) else {
        throw .refused("\(path)/\(file.name) was changed since nova fixtures wrote it. It is left as it is.")
      }
    }
  }
}
