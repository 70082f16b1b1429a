import NovaCore
import NovaLibc

/// An open file that is locked against other servers until its last use.
///
/// Opening does not change an existing file: only its content shows whether it is a state file.
struct StateDescriptor: Sendable {
  private(set) var path: String
  private let file: File
  private var number: Int32 { file.number }

  /// What is open and locked. Its end unlocks and closes it.
  private final class File: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { SystemIO.unlockAndClose(number) }
  }

  /// Creates a file next to this one, under an unused name.
  func createNeighbor() throws(StateFileError) -> StateDescriptor {
    var number = 1
    var status = stat()
    // A server that was killed while it repaired a file leaves one.
    while lstat("\(path).repaired-\(number)", &status) == 0 { number += 1 }
    return try StateDescriptor("\(path).repaired-\(number)", flags: O_CREAT | O_EXCL)
  }

  /// Opens or creates the file. Symbolic links are not followed: their targets may serve another purpose.
  init(_ path: String, flags: Int32 = O_CREAT) throws(StateFileError) {
    self.path = path
    let number = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | flags, 0o600)
    guard number >= 0 else {
      throw errno == ELOOP
        ? StateFileError(path, "is a symbolic link. Use the path of its target.")
        : StateFileError.system(path, cannotBe: "opened")
    }
    file = File(number)
    let status = try status()
    guard status.st_mode & S_IFMT == S_IFREG else { throw StateFileError(path, "is not a regular file") }
    guard status.st_uid == geteuid() else {
      throw StateFileError(path, "belongs to another user. Choose another file; this one was not changed.")
    }
    guard try attempt("locked", { () throws(SystemError) in try SystemIO.lock(number) }) else {
      throw StateFileError(path, "is in use by another nova serve. Stop that one, or choose another file.")
    }
    // Another server may have replaced it with a repaired file before releasing the lock.
    guard try isNamed() else { throw StateFileError(path, "was replaced while it was opened. Try again.") }
  }

  /// Throws if something else is at the path, or another program has changed the file's size. The next start would not
  /// find what is written to the file then, or could not read it.
  ///
  /// - Parameter length: the size that this server has left.
  func requireUnchanged(length: Int64) throws(StateFileError) {
    if let change = try change(since: length) {
      throw StateFileError(
        path,
        "\(change) while the server runs, so changes are refused; put it back as it was, or restart nova serve with a new file"
      )
    }
  }

  /// What was done to the file; nil if the next start would find it as this server left it.
  private func change(since length: Int64) throws(StateFileError) -> String? {
    var named = stat()
    guard lstat(path, &named) == 0 else { return "was removed or moved" }
    let status = try status()
    if FileID(named) == FileID(status) {
      let size = Int64(status.st_size)
      return size == length ? nil : "was \(size < length ? "cut" : "extended") from \(length) to \(size) bytes"
    }
    switch named.st_mode & S_IFMT {
    case S_IFREG: return "was replaced by another file"
    case S_IFDIR: return "was replaced by a directory"
    case S_IFLNK: return "was replaced by a symbolic link"
    default: return "was replaced by something that is not a file"
    }
  }

  /// Whether the path is that of this file.
  private func isNamed() throws(StateFileError) -> Bool {
    FileID(at: path) == FileID(try status())
  }

  /// Lets only the owner read it, because it lists the registered users.
  func makePrivate() throws(StateFileError) {
    guard try status().st_mode & 0o7777 != 0o600 else { return }
    guard fchmod(number, 0o600) == 0 else { throw StateFileError.system(path, cannotBe: "made private") }
  }

  private func status() throws(StateFileError) -> stat {
    try attempt("read") { () throws(SystemError) in try SystemIO.status(of: number) }
  }

  /// Reads up to `count` bytes from an offset; fewer only at the end of the file.
  func read(at offset: Int64, count: Int) throws(StateFileError) -> [UInt8] {
    try attempt("read") { () throws(SystemError) in try SystemIO.read(number, at: offset, count: count) }
  }

  /// Writes all bytes at an offset.
  func write(_ bytes: [UInt8], at offset: Int64) throws(StateFileError) {
    try attempt("written") { () throws(SystemError) in
      try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
        try SystemIO.write(UnsafeRawBufferPointer(bytes), to: number, at: offset)
      }
    }
  }

  private func attempt<Result>(
    _ action: String, _ body: () throws(SystemError) -> Result
  ) throws(StateFileError) -> Result {
    do throws(SystemError) { return try body() } catch { throw .system(path, cannotBe: action, error) }
  }

  func truncate(to length: Int64) throws(StateFileError) {
    guard ftruncate(number, off_t(length)) == 0 else { throw StateFileError.system(path, cannotBe: "shortened") }
  }

  /// Returns once everything written would survive a power loss.
  func synchronize() throws(StateFileError) {
    #if canImport(Darwin)
      let result = fcntl(number, F_FULLFSYNC)
    #else
      let result = fdatasync(number)
    #endif
    guard result == 0 else { throw StateFileError.system(path, cannotBe: "written for good") }
  }

  /// Returns once the file's name in its folder would survive a power loss.
  func synchronizeFolder() {
    let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "."
    // Some file systems do not support this for folders; the content of the file is safe without it.
    try? SystemIO.synchronizeDirectory(String(folder))
  }
}

extension StateDescriptor {
  /// Gives the file a second name, the first unused one of `<path>.damaged-1`, `-2` and so on, and returns it.
  func keepAside() throws(StateFileError) -> String {
    var number = 1
    while true {
      let name = "\(path).damaged-\(number)"
      if link(path, name) == 0 { return name }
      guard errno == EEXIST, number < 10_000 else { throw StateFileError.system(path, cannotBe: "kept as \(name)") }
      number += 1
    }
  }

  /// Replaces another file with this one, and returns the same open file, lock included, under its new name.
  func replace(_ other: StateDescriptor) throws(StateFileError) -> StateDescriptor {
    guard rename(path, other.path) == 0 else { throw StateFileError.system(other.path, cannotBe: "replaced") }
    var renamed = self
    renamed.path = other.path
    return renamed
  }

  /// Removes the file's name.
  func unlinkName() { _ = unlink(path) }
}
