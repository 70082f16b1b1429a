import NovaCore
import NovaLibc
import NovaSupport

/// The open and locked journal of one upload: no other upload, in this process or another, can use it.
///
/// Lines are written to the disk in the background. If a line cannot be written, the upload continues without further
/// lines, because the earlier ones are enough to resume it.
final class UploadJournal: Sendable {
  private struct State {
    /// The size up to the end of the last line.
    var length: Int
    var isWritable = true
    var needsSync = false
    /// The next line. Only the latest one counts.
    var pending: [UInt8]?
    var syncing: Task<Void, Never>?
  }

  let path: String
  private let descriptor: Int32
  private let writeBytes: Writing
  /// The maximum size, which an upload that takes days can reach.
  private let limit: Int
  private let state: Locked<State>

  /// Larger files are not read.
  static let maximumLength = 64 << 20

  /// Writes all bytes to a descriptor.
  typealias Writing = @Sendable (_ bytes: [UInt8], _ descriptor: Int32) throws(SystemError) -> Void

  private init(
    path: String, descriptor: Int32, length: Int, limit: Int = maximumLength,
    writing: @escaping Writing = SystemIO.write
  ) {
    self.path = path
    self.descriptor = descriptor
    self.limit = limit
    writeBytes = writing
    state = Locked(State(length: length))
  }

  deinit { SystemIO.unlockAndClose(descriptor) }

  /// Creates a journal. Once created, it survives a failure of the machine.
  ///
  /// - Parameters:
  ///   - limit: the maximum size; replaced by tests.
  ///   - writing: writes the lines after the first one; replaced by tests.
  static func create(
    _ beginning: UploadRecord.Beginning, in directory: UploadDirectory, limit: Int = maximumLength,
    writing: @escaping Writing = SystemIO.write
  ) throws(SystemError) -> UploadJournal {
    let line = beginning.json.jsonUTF8 + [UInt8(ascii: "\n")]
    let path = directory.path(of: beginning.id)
    var file = try AtomicFile(for: path, mode: 0o600, appends: true)
    // The lock belongs to the open file, and stays after the other descriptor is closed.
    let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw .last }
    let journal = UploadJournal(path: path, descriptor: descriptor, length: line.count, limit: limit, writing: writing)
    guard try SystemIO.lock(descriptor) else { throw SystemError(code: EWOULDBLOCK) }
    try file.write(line)
    try file.publish()
    try SystemIO.synchronizeDirectory(directory.path)
    return journal
  }

  /// The reason why a journal cannot be opened.
  enum Refusal: Error {
    /// The journal does not exist.
    case missing
    /// Another upload uses it.
    case inUse
    /// The file is not a journal, or belongs to another user.
    case unusable(String)
  }

  /// Opens and locks a journal.
  static func open(_ path: String) throws(Refusal) -> (journal: UploadJournal, record: UploadRecord) {
    let descriptor = SystemIO.descriptor(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { throw .missing }
      throw .unusable("cannot be opened: \(SystemError.last.reason)")
    }
    let journal = UploadJournal(path: path, descriptor: descriptor, length: 0)
    do {
      guard try SystemIO.lock(descriptor) else { throw Refusal.inUse }
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw SystemError.last }
      // The previous owner of the lock has removed it.
      guard status.st_nlink > 0 else { throw Refusal.missing }
      // Another user who can write it could choose which of this user's files are sent.
      guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
        throw Refusal.unusable("belongs to another user, or others can write to it")
      }
      guard let bytes = try SystemIO.readAll(descriptor, limit: maximumLength) else {
        throw Refusal.unusable("is damaged")
      }
      guard !UploadRecord.isNewer(journal: bytes) else {
        throw Refusal.unusable("was written by a newer version of NovaSDK; update this program")
      }
      guard let record = UploadRecord(journal: bytes),
        path.hasSuffix("/\(UploadDirectory.fileName(of: record.beginning.id))")
      else { throw Refusal.unusable("is damaged") }
      // Removes an incomplete line, so that the next one follows the last complete line.
      if bytes.count > record.length, ftruncate(descriptor, off_t(record.length)) != 0 { throw SystemError.last }
      journal.state.withLock { $0.length = record.length }
      return (journal, record)
    } catch let refusal as Refusal {
      throw refusal
    } catch {
      throw .unusable("cannot be read: \((error as? SystemError)?.reason ?? "\(error)")")
    }
  }

  /// Appends a line at once, after a pending one.
  func append(_ json: JSONValue) {
    state.withLock { state in
      if let line = state.pending.take() { write(line, &state) }
      write(json.jsonUTF8 + [UInt8(ascii: "\n")], &state)
      startSynchronizing(&state)
    }
  }

  /// Appends a line in the background, replacing one that is not written yet.
  ///
  /// A file cannot be written while it is synchronized, and the upload must not wait for the disk.
  func note(_ json: JSONValue) {
    state.withLock { state in
      state.pending = json.jsonUTF8 + [UInt8(ascii: "\n")]
      startSynchronizing(&state)
    }
  }

  private func write(_ line: [UInt8], _ state: inout State) {
    // The earlier lines are enough to resume the upload.
    guard state.isWritable, state.length + line.count <= limit else { return }
    do {
      try writeBytes(line, descriptor)
      state.length += line.count
      state.needsSync = true
    } catch {
      // The disk is full. An incomplete line must not be followed by others.
      state.isWritable = false
      _ = ftruncate(descriptor, off_t(state.length))
    }
  }

  private func startSynchronizing(_ state: inout State) {
    if state.isWritable, state.syncing == nil { state.syncing = Task.detached { await self.synchronize() } }
  }

  private func synchronize() async {
    while writePending() {
      await BlockingWork.run { [descriptor] in try? SystemIO.synchronize(descriptor) }
      // Several chunks share a line. `flush` ends the wait.
      try? await Task.sleep(for: .milliseconds(250))
    }
  }

  /// Writes the pending line; returns false if there is nothing to synchronize.
  private func writePending() -> Bool {
    state.withLock { state in
      if let line = state.pending.take() { write(line, &state) }
      defer { state.needsSync = false }
      if !state.needsSync { state.syncing = nil }
      return state.needsSync
    }
  }

  /// Returns when all lines are on the disk.
  func flush() async {
    let syncing = state.withLock { $0.syncing }
    syncing?.cancel()
    await syncing?.value
  }

  /// Removes the journal.
  func remove() async {
    state.withLock { $0.isWritable = false }
    await flush()
    var status = stat()
    // While it is locked, no other process removes it.
    if fstat(descriptor, &status) == 0, status.st_nlink > 0 { unlink(path) }
  }

  /// Whether a text can be the ID of an upload.
  static func isID(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { ($0 | 0x20) >= 0x61 && ($0 | 0x20) <= 0x7A || $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2D }
  }
}
