import NovaCore
import NovaLibc

/// The folder for the temporary files of this process: `$TMPDIR/nova-media-<user>/<process>-<random>`.
///
/// It is created for the first file, locked as long as the process runs, and removed when the process exits. The folders
/// of processes that were killed are removed when the next process creates its own.
enum TemporaryMedia {
  private struct Folder {
    let path: String
    let owner: pid_t
    /// Keeps the lock.
    let descriptor: Int32
  }

  private struct State {
    var folder: Folder?
    var nextNumber = 1
    var isRegistered = false
  }

  private static let state = Locked(State())

  /// Creates an empty file, and returns its path.
  static func makeFile() throws(SystemError) -> String {
    try state.withLock { state throws(SystemError) in
      let number = state.nextNumber
      state.nextNumber += 1
      if let folder = state.folder {
        let path = "\(folder.path)/\(number)"
        do throws(SystemError) {
          try MediaDescriptor.create(path)
          return path
        } catch {
          // Something has cleaned the directory for temporary files.
          guard error.code == ENOENT else { throw error }
          close(folder.descriptor)
          state.folder = nil
        }
      }
      let folder = try makeFolder()
      state.folder = folder
      if !state.isRegistered {
        state.isRegistered = true
        ProcessEnd.add { TemporaryMedia.removeFolder() }
      }
      let path = "\(folder.path)/\(number)"
      try MediaDescriptor.create(path)
      return path
    }
  }

  private static func removeFolder() {
    let folder = state.withLock { $0.folder }
    // A child process that has not replaced its program exits, too.
    if let folder, folder.owner == getpid() { remove(folder.path) }
  }

  private static func remove(_ path: String) {
    for name in SystemIO.fileNames(in: path) { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  private static func makeFolder() throws(SystemError) -> Folder {
    let parent = try makeParent()
    let lock = try openDirectory(parent)
    defer { SystemIO.unlockAndClose(lock) }
    // A new folder is unlocked for a moment. Until it is locked, no other process may look for unlocked ones.
    while flock(lock, LOCK_EX) != 0 { if errno != EINTR { throw .last } }
    removeLeftovers(in: parent)
    let random = UInt64.random(in: .min ... .max)
    let path = "\(parent)/\(getpid())-\(String(random, radix: 36))"
    guard mkdir(path, 0o700) == 0 else { throw .last }
    let descriptor = try openDirectory(path)
    _ = try SystemIO.lock(descriptor)
    return Folder(path: path, owner: getpid(), descriptor: descriptor)
  }

  private static func makeParent() throws(SystemError) -> String {
    let temporary = environmentVariable("TMPDIR") ?? ""
    let path = "\(temporary.hasPrefix("/") ? temporary : "/tmp")/nova-media-\(geteuid())"
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .last }
    var status = stat()
    guard lstat(path, &status) == 0 else { throw .last }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError(code: ENOTDIR) }
    guard status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else { throw SystemError(code: EACCES) }
    return path
  }

  private static func removeLeftovers(in parent: String) {
    for name in SystemIO.fileNames(in: parent) {
      guard let descriptor = try? openDirectory("\(parent)/\(name)") else { continue }
      defer { SystemIO.unlockAndClose(descriptor) }
      if (try? SystemIO.lock(descriptor)) == true { remove("\(parent)/\(name)") }
    }
  }

  private static func openDirectory(_ path: String) throws(SystemError) -> Int32 {
    try SystemIO.opened(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }
}
