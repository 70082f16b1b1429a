#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A new file that takes its place at once: readers see all of the old file or all of the new one, also after a crash of
/// the program or of the machine.
///
/// It is written beside its place, under the name `<path>.tmp-<random>`, and removed unless it was published.
package struct AtomicFile: ~Copyable {
  /// What happens to a file in the same place.
  package enum Placement { case replacing, keepingExisting }

  package let descriptor: Int32
  private let path: String
  private var temporary: String?
  /// Whether others may read the file. If so, the permissions of a file that it replaces stay.
  private let isShared: Bool

  /// Creates the file under its temporary name.
  ///
  /// - Parameters:
  ///   - path: the place of the file; its directory must exist.
  ///   - mode: the permissions, before the process's umask is applied.
  ///   - appends: whether everything is written to the end of the file, also after it was published.
  package init(for path: String, mode: UInt32 = 0o666, appends: Bool = false) throws(SystemError) {
    let temporary = Self.temporaryPrefix(path) + String(UInt64.random(in: .min ... .max), radix: 36)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | (appends ? O_APPEND : 0)
    let isShared = mode & 0o077 != 0
    // Until its place decides who may read it.
    let first = isShared && SystemIO.exists(path) ? 0o600 : mode
    let descriptor = open(temporary, flags, mode_t(first))
    guard descriptor >= 0 else { throw .last }
    self.descriptor = descriptor
    self.path = path
    self.temporary = temporary
    self.isShared = isShared
  }

  deinit {
    close(descriptor)
    if let temporary { unlink(temporary) }
  }

  private static func temporaryPrefix(_ path: String) -> String { "\(path).tmp-" }

  /// Removes what programs left beside the place of a file when they were killed. Only while nothing else writes the file.
  package static func removeUnpublished(for path: String) {
    let directory = path.parentPath
    let prefix = temporaryPrefix(path.lastPathPart)
    for name in SystemIO.fileNames(in: directory) where name.begins(withBytesOf: prefix) {
      unlink("\(directory)/\(name)")
    }
  }

  /// Gives a file the permissions of the one that it is about to replace: someone has chosen them.
  ///
  /// - Parameter isComplete: whether all of it is written. Until then, its user can write it, and nobody else.
  package static func keepPermissions(of path: String, on descriptor: Int32, isComplete: Bool = true) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    let mode = status.st_mode & 0o777
    // Where that is impossible, such as on a file system without permissions, there are none to keep.
    _ = fchmod(descriptor, isComplete ? mode : mode & ~0o022 | 0o600)
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) { try SystemIO.write(bytes, to: descriptor) }

  /// Writes the file to the disk, and puts it in its place. It stays open.
  ///
  /// - Parameters:
  ///   - placement: what happens to a file that is there. With `keepingExisting` it stays: the first of several processes
  ///     wins.
  ///   - isDurable: whether the file must survive a failure of the machine. False is faster, for files whose readers
  ///     detect damage.
  /// - Returns: whether this file took the place.
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
  /// Gives a file another name, unless something has that name already.
  ///
  /// - Returns: whether the file has the name now.
  package static func moveToFreePlace(_ old: String, _ new: String) throws(SystemError) -> Bool {
    // Unlike rename, link never replaces.
    if link(old, new) == 0 {
      unlink(old)
      return true
    }
    if errno == EEXIST { return false }
    // Some file systems have no links.
    guard [EPERM, EACCES, ENOTSUP, EOPNOTSUPP, ENOSYS].contains(errno) else { throw .last }
    var status = stat()
    if lstat(new, &status) == 0 { return false }
    guard rename(old, new) == 0 else { throw .last }
    return true
  }
}
