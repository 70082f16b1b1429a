import NovaCore
import NovaLibc

/// A file with the bytes of an upload.
///
/// Committed bytes never change, and more can be written only after all of them. So states of different times share a
/// file: each has the number of bytes that belong to it.
final class MediaFile: Sendable {
  private struct State {
    var committed: Int64 = 0
    /// The writer that may write; an earlier one has been superseded.
    var writer = 0
    /// The space on the disk that committed and other bytes take.
    var diskBytes: Int64 = 0
    var uncommittedDiskBytes: Int64 = 0
    /// The space of the last commit, which ``retract(to:)`` undoes.
    var lastDiskBytes: Int64 = 0
    var isRemovedAtEnd: Bool
    /// Whether this process created the file, so that nothing refers to it until bytes are committed.
    var isNew: Bool
  }

  let path: String
  let folder: MediaFolder
  private let state: Locked<State>

  /// Represents a new, empty file.
  init(_ path: String, in folder: MediaFolder, isRemovedAtEnd: Bool) {
    (self.path, self.folder) = (path, folder)
    state = Locked(State(isRemovedAtEnd: isRemovedAtEnd, isNew: true))
  }

  /// Represents a file that existed before the process started.
  init(existing path: String, in folder: MediaFolder, diskBytes: Int64) {
    (self.path, self.folder) = (path, folder)
    state = Locked(State(diskBytes: diskBytes, isRemovedAtEnd: false, isNew: false))
  }

  deinit {
    let (isRemoved, diskBytes) = state.withLock { state in
      let isUnused = state.isNew && state.committed == 0
      return (state.isRemovedAtEnd || isUnused, state.diskBytes + state.uncommittedDiskBytes)
    }
    if isRemoved { unlink(path) }
    folder.close(name, isRemoved: isRemoved, diskBytes: diskBytes)
  }

  /// The file's name in its folder.
  var name: String { path.split(separator: "/").last.map(String.init) ?? path }

  /// The number of bytes that cannot change.
  var committedCount: Int64 { state.withLock { $0.committed } }

  func removeAtEnd() { state.withLock { $0.isRemovedAtEnd = true } }

  // MARK: Writing

  /// Admits a writer at `offset`, and supersedes the present one: a client that sends bytes again has given up the
  /// request before.
  ///
  /// - Returns: the writer's number; nil if other bytes were committed there.
  func admitWriter(at offset: Int64, _ descriptor: MediaDescriptor) throws(MockFailure) -> Int? {
    try state.withLock { state throws(MockFailure) in
      guard state.committed == offset else { return nil }
      state.writer += 1
      try discard(&state, descriptor)
      return state.writer
    }
  }

  /// Removes what was not committed, so that the rest of the file is a hole.
  private func discard(_ state: inout State, _ descriptor: MediaDescriptor) throws(MockFailure) {
    let end = state.committed
    try MockFailure.storing { () throws(SystemError) in try descriptor.resize(to: end) }
    folder.release(state.uncommittedDiskBytes)
    state.uncommittedDiskBytes = 0
  }

  /// Writes bytes after the committed ones; false if another writer has been admitted.
  func write(
    _ bytes: UnsafeRawBufferPointer, at offset: Int64, by writer: Int, _ descriptor: MediaDescriptor
  ) throws(MockFailure) -> Bool {
    try state.withLock { state throws(MockFailure) in
      guard state.writer == writer else { return false }
      if bytes.isZero {
        try MockFailure.storing { () throws(SystemError) in try descriptor.resize(to: offset + Int64(bytes.count)) }
      } else {
        try folder.reserve(Int64(bytes.count))
        state.uncommittedDiskBytes += Int64(bytes.count)
        try MockFailure.storing { () throws(SystemError) in try descriptor.write(bytes, at: offset) }
      }
      return true
    }
  }

  /// Commits what a writer has written; false if another one has been admitted.
  func commit(upTo end: Int64, by writer: Int) -> Bool {
    state.withLock { state in
      guard state.writer == writer else { return false }
      state.writer += 1
      state.committed = end
      state.diskBytes += state.uncommittedDiskBytes
      state.lastDiskBytes = state.uncommittedDiskBytes
      state.uncommittedDiskBytes = 0
      return true
    }
  }

  /// Undoes the last commit, which no state refers to yet.
  func retract(to end: Int64) {
    state.withLock { state in
      state.committed = end
      state.diskBytes -= state.lastDiskBytes
      state.uncommittedDiskBytes += state.lastDiskBytes
      state.lastDiskBytes = 0
    }
  }

  /// Discards what a writer has written.
  func cancel(_ writer: Int, _ descriptor: MediaDescriptor) {
    state.withLock { state in
      guard state.writer == writer else { return }
      state.writer += 1
      // The rest takes space, and is discarded before the next write.
      try? discard(&state, descriptor)
    }
  }

  /// Commits bytes that were on the disk before the process started.
  func adopt(upTo end: Int64) { state.withLock { $0.committed = max($0.committed, end) } }
}
