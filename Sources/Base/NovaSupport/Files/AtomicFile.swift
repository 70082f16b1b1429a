internal import NovaLibc

/// A file that is created or replaced at once: readers see all of the old file or all of the new one, even after the
/// program or the machine crashes.
///
/// It is written next to its final place, as `<path>.tmp-<random>`, and removed unless it is published.
package struct AtomicFile: ~Copyable {
  /// What happens to an existing file in the same place.
  package enum Placement { case replacing, keepingExisting }

  package let descriptor: Int32
  private let path: String
  private var temporary: String?
  /// Whether others may read the file. If so, a file that it replaces passes on its permissions.
  private let isShared: Bool

  /// Creates the file under its temporary name.
  ///
  /// - Parameters:
  ///   - path: the place of the file; its directory must exist.
  ///   - mode: the permissions, before the process's umask is applied.
  ///   - appends: whether all writes go to the end of the file, even after it is published.
  package init(for path: String, mode: UInt32 = 0o666, appends: Bool = false) throws(SystemError) {
    let temporary = Self.temporaryPrefix(path) + String(UInt64.random(in: .min ... .max), radix: 36)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | (appends ? O_APPEND : 0)
    let isShared = mode & 0o077 != 0
    // Private until the permissions of the file that it replaces are known.
    let first = isShared && SystemIO.exists(path) ? 0o600 : mode
    descriptor = try SystemIO.opened(temporary, flags, mode: first)
    self.path = path
    self.temporary = temporary
    self.isShared = isShared
  }

  deinit {
    close(descriptor)
    if let temporary { unlink(temporary) }
  }

  private static func temporaryPrefix(_ path: String) -> String { "\(path).tmp-" }

  /// Removes the temporary files that killed programs left next to a file. Call it only while nothing else writes the
  /// file.
  package static func removeUnpublished(for path: String) {
    let directory = path.parentPath
    let prefix = temporaryPrefix(path.lastPathPart)
    for name in SystemIO.fileNames(in: directory) where name.begins(withBytesOf: prefix) {
      unlink("\(directory)/\(name)")
    }
  }

  /// Gives a file the permissions of the file that it will replace, because a person chose them.
  ///
  /// - Parameter isComplete: whether all content is written. Until then, the user can write the file, and no one else.
  package static func keepPermissions(of path: String, on descriptor: Int32, isComplete: Bool = true) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let mode = status.st_mode & 0o777
    // This fails on a file system without permissions, which has nothing to keep.
    _ = fchmod(descriptor, isComplete ? mode : mode & ~0o022 | 0o600)
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) { try SystemIO.write(bytes, to: descriptor) }

  /// Writes the file to the disk, and moves it into its place. It stays open.
  ///
  /// - Parameters:
  ///   - placement: what happens to an existing file. With `keepingExisting`, it stays: the first of several processes
  ///     wins.
  ///   - isDurable: whether the file must survive a failure of the machine. False is faster, for files whose readers
  ///     detect damage.
  /// - Returns: whether this file is in its place.
  @discardableResult
  package mutating func publish(
    _ placement: Placement = .replacing, isDurable: Bool = true
  ) throws(SystemError) -> Bool {
    guard let temporary else { return true }
    if isDurable { try SystemIO.synchronize(descriptor) }
    switch placement {
    case .replacing:
      if isShared { Self.keepPermissions(of: path, on: descriptor) }
      guard rename(temporary, path) == 0 else { throw .last }
    case .keepingExisting:
      guard try SystemIO.moveToFreePlace(temporary, path) else { return false }
    }
    self.temporary = nil
    return true
  }
}

extension SystemIO {
  /// Renames a file, unless the new name is taken.
  ///
  /// - Returns: whether the file was renamed.
  package static func moveToFreePlace(_ old: String, _ new: String) throws(SystemError) -> Bool {
    // Unlike rename, link never replaces.
    if link(old, new) == 0 {
      unlink(old)
      return true
    }
    if errno == EEXIST { return false }
    // Some file systems do not support links.
    guard [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { throw .last }
    var status = stat()
    if lstat(new, &status) == 0 { return false }
    guard rename(old, new) == 0 else { throw .last }
    return true
  }
}
