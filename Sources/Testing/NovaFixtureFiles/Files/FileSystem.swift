import NovaCore
import NovaLibc

/// File system operations for fixtures.
enum FileSystem {
  enum Kind { case file, directory, other }

  /// Returns the kind of file at a path; nil if there is none.
  static func kind(_ path: String, followingLinks: Bool) -> Kind? {
    var status = stat()
    guard (followingLinks ? stat(path, &status) : lstat(path, &status)) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return .other
    }
  }

  /// Returns the path without links, `.`, and `..`; nil if it does not exist.
  static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(path: resolved)
  }

  static func createDirectory(_ path: String) throws(FixtureError) {
    guard mkdir(path, 0o777) == 0 else { throw failure(path, to: "create") }
  }

  /// Creates the missing parent directories of a file in `directory`.
  static func createDirectories(above name: String, in directory: String) throws(FixtureError) {
    var path = directory
    for part in name.split(separator: "/").dropLast() {
      path += "/\(part)"
      if kind(path, followingLinks: false) == nil { try createDirectory(path) }
    }
  }

  static func move(_ path: String, to other: String) throws(FixtureError) {
    guard rename(path, other) == 0 else { throw failure(other, to: "create") }
  }

  /// Returns the names in a directory, in byte order.
  static func names(in path: String) throws(FixtureError) -> [String] {
    guard let directory = opendir(path) else { throw failure(path, to: "read") }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(path: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
  }

  /// Returns the relative paths of all files below a directory.
  static func files(below path: String, _ prefix: String = "") throws(FixtureError) -> [String] {
    var files: [String] = []
    for name in try names(in: path) {
      if kind("\(path)/\(name)", followingLinks: false) == .directory {
        files += try Self.files(below: "\(path)/\(name)", "\(prefix)\(name)/")
      } else {
        files.append(prefix + name)
      }
    }
    return files
  }

  /// Removes a directory and everything below it, without following links.
  static func removeTree(_ path: String) {
    for name in (try? names(in: path)) ?? [] {
      let child = "\(path)/\(name)"
      if kind(child, followingLinks: false) == .directory { removeTree(child) } else { unlink(child) }
    }
    rmdir(path)
  }

  /// Opens and locks a directory; nil if it is locked or missing. `SystemIO.unlockAndClose` unlocks it.
  static func lock(_ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    if (try? SystemIO.lock(descriptor)) == true { return descriptor }
    close(descriptor)
    return nil
  }

  /// What a full disk needs. The target is replaced only when everything is written.
  static let adviceForFullDisk = "; nothing was changed: free space, and try again"

  /// Creates an error from a system error, the last one by default.
  static func failure(_ path: String, to step: String, _ error: SystemError = .last) -> FixtureError {
    let advice = [ENOSPC, EDQUOT].contains(error.code) ? adviceForFullDisk : ""
    return .failed("cannot \(step) \(path): \(error.reason)\(advice)")
  }
}
