import NovaCore
import NovaLibc

/// A directory whose paths no other user can redirect.
///
/// The path is resolved as the system resolves it, one component at a time. Every directory on the way, including those
/// that symbolic links lead through, must belong to the user or to root. No one else may have write access, with two
/// exceptions above the last directory: directories with the sticky bit, such as `/tmp`, in which users cannot replace
/// each other's files, and write access for a group whose ID equals the ID of the directory's owner, which is that
/// user's private group. A symbolic link must belong to the user or to root as well. A path that passes these checks
/// stays safe, because no other user can change it.
package struct TrustedDirectory {
  private static let maximumLinks = 40

  /// The path resolved so far, without links.
  private var place = "/"
  /// The components that remain, in reverse order.
  private var names: [String] = []
  private var links = 0

  /// Throws if other users can replace the directory or write to it.
  ///
  /// - Returns: whether it exists.
  package static func check(_ path: String) throws(SessionStoreError) -> Bool {
    var directory = TrustedDirectory()
    directory.push(path)
    if !path.begins(withBytesOf: "/") {
      guard let current = workingDirectory() else { throw .system(errno, at: ".", verb: "find") }
      directory.push(current)
    }
    return try directory.follow()
  }

  private mutating func follow() throws(SessionStoreError) -> Bool {
    try Self.requireTrusted("/", isLast: names.isEmpty)
    while let name = names.popLast() {
      if name == ".." {
        place = place.parentPath
        continue
      }
      let next = place == "/" ? "/\(name)" : "\(place)/\(name)"
      var status = stat()
      guard lstat(next, &status) == 0 else {
        if errno == ENOENT { return false }
        throw .system(errno, at: next, verb: "read")
      }
      if status.st_mode & S_IFMT == S_IFLNK {
        try followLink(next, status)
      } else {
        place = next
        try Self.requireTrusted(next, isLast: names.isEmpty)
      }
    }
    try Self.requireTrusted(place, isLast: true)
    return true
  }

  private mutating func followLink(_ link: String, _ status: stat) throws(SessionStoreError) {
    links += 1
    guard links <= Self.maximumLinks else { throw .system(ELOOP, at: link, verb: "follow") }
    try Self.requireOwner(link, status)
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = buffer.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return 0 }
      return readlink(link, start.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard count > 0, count < buffer.count else {
      throw .system(count < 0 ? errno : ENAMETOOLONG, at: link, verb: "follow")
    }
    let target = String(path: buffer.part(0..<count))
    if target.hasPrefix("/") { place = "/" }
    push(target)
  }

  @inline(never)
  private mutating func push(_ path: String) {
    var found = path.parts(between: "/", keepsEmpty: false)
    while let name = found.popLast() {
      if name != "." { names.append(name) }
    }
  }

  // MARK: One directory

  private static func requireTrusted(_ directory: String, isLast: Bool) throws(SessionStoreError) {
    var status = stat()
    guard lstat(directory, &status) == 0 else { throw .system(errno, at: directory, verb: "read") }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw .system(ENOTDIR, at: directory, verb: "use") }
    try requireOwner(directory, status)
    let isSafe =
      isLast
      ? status.st_mode & 0o022 == 0
      : status.st_mode & S_ISVTX != 0 || status.st_mode & 0o002 == 0 && !isGroupOfOthers(status)
    guard isSafe else {
      let mode = String(status.st_mode & 0o7777, radix: 8)
      let advice =
        isLast ? "expected 700; run chmod 700" : "expected 755 or less; run chmod go-w, or choose another directory"
      throw SessionStoreError(
        .tooOpen, at: directory, "other users can add or replace files (mode \(mode)): \(advice)")
    }
  }

  /// A user's private group has the user's ID; other groups can have other members.
  private static func isGroupOfOthers(_ status: stat) -> Bool {
    status.st_mode & 0o020 != 0 && status.st_gid != status.st_uid
  }

  @inline(never)
  private static func requireOwner(_ path: String, _ status: stat) throws(SessionStoreError) {
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw SessionStoreError(
        .notOwned, at: path,
        "it belongs to user \(status.st_uid), who could replace files in it; choose a directory of your own")
    }
  }
}
