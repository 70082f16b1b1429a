import NovaCore
import NovaLibc

/// The folder of the files that hold the bytes of uploads.
///
/// A temporary folder is created for the first file, and its files are removed with their last use. A permanent one
/// belongs to a journal, whose lines refer to the files by name: they stay until the journal is emptied.
package final class MediaFolder: Sendable {
  private struct Entry {
    weak var file: MediaFile?
    /// The space on the disk that the file takes while nothing uses it.
    var diskBytes: Int64 = 0
  }

  private struct State {
    var nextNumber: Int?
    var entries: [String: Entry] = [:]
    var diskBytes: Int64 = 0
  }

  /// The maximum size of all files on the disk, in bytes. Blocks of zeros take no space.
  let limit: Int64
  /// The path of a permanent folder; nil for a temporary one.
  let permanentPath: String?
  private let state = Locked(State())

  /// Creates a temporary folder.
  init(limit: Int64) {
    self.limit = limit
    permanentPath = nil
  }

  /// Uses or creates a permanent folder, which only its owner can read.
  package init(at path: String, limit: Int64) throws(MediaFolderError) {
    self.limit = limit
    permanentPath = path
    try Self.check(path)
  }

  /// The size of all files on the disk, in bytes.
  var diskBytes: Int64 { state.withLock { $0.diskBytes } }

  /// Reserves space on the disk.
  func reserve(_ count: Int64) throws(MockFailure) {
    let isReserved = state.withLock { state in
      guard state.diskBytes + count <= limit else { return false }
      state.diskBytes += count
      return true
    }
    guard isReserved else {
      throw MockFailure(
        .resourceExhausted, "cannot store the bytes: the mock backend stores at most \(limit) bytes of uploads")
    }
  }

  func release(_ count: Int64) { state.withLock { $0.diskBytes -= count } }

  /// Called when nothing uses a file any more.
  func close(_ name: String, isRemoved: Bool, diskBytes: Int64) {
    state.withLock { state in
      if isRemoved {
        state.diskBytes -= diskBytes
        state.entries[name] = nil
      } else {
        state.entries[name]?.diskBytes = diskBytes
      }
    }
  }

  /// Creates an empty file.
  func makeFile() throws(MockFailure) -> MediaFile {
    try MockFailure.storing { () throws(SystemError) -> MediaFile in
      guard let permanentPath else {
        let path = try TemporaryMedia.makeFile()
        return MediaFile(path, in: self, isRemovedAtEnd: true)
      }
      if mkdir(permanentPath, 0o700) != 0, errno != EEXIST { throw .last }
      let name = try nextName(in: permanentPath)
      let path = "\(permanentPath)/\(name)"
      try MediaDescriptor.create(path)
      try SystemIO.synchronizeDirectory(permanentPath)
      let file = MediaFile(path, in: self, isRemovedAtEnd: false)
      state.withLock { $0.entries[name] = Entry(file: file) }
      return file
    }
  }

  private func nextName(in path: String) throws(SystemError) -> String {
    let last = state.withLock { $0.nextNumber } ?? (SystemIO.fileNames(in: path).compactMap(Self.number).max() ?? 0) + 1
    state.withLock { $0.nextNumber = last + 1 }
    return String(last)
  }

  /// The number of a file; nil for names that this folder does not give.
  private static func number(_ name: String) -> Int? {
    name.utf8.allSatisfy(\.isASCIIDigit) ? Int(name) : nil
  }

  // MARK: Permanent folders

  /// Returns a file that a journal refers to; nil if there is none.
  func existingFile(_ name: String) -> MediaFile? {
    guard let permanentPath, Self.number(name) != nil else { return nil }
    let path = "\(permanentPath)/\(name)"
    return state.withLock { state in
      if let file = state.entries[name]?.file { return file }
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      let isKnown = state.entries[name] != nil
      let diskBytes = state.entries[name]?.diskBytes ?? Int64(status.st_blocks) * 512
      let file = MediaFile(existing: path, in: self, diskBytes: diskBytes)
      if !isKnown { state.diskBytes += diskBytes }
      state.entries[name] = Entry(file: file)
      return file
    }
  }

  /// Removes all files, because no journal refers to them. Files in use are removed with their last use.
  func removeAll() {
    guard let permanentPath else { return }
    let entries = state.withLock { state in
      defer { state.entries = [:] }
      return state.entries
    }
    // Not inside the lock: a file takes it, too, when it is deinitialized.
    for entry in entries.values {
      if let file = entry.file { file.removeAtEnd() } else { release(entry.diskBytes) }
    }
    for name in SystemIO.fileNames(in: permanentPath) where Self.number(name) != nil && entries[name]?.file == nil {
      unlink("\(permanentPath)/\(name)")
    }
  }

  /// Removes bytes to which the journal does not refer: they were never confirmed to a client.
  ///
  /// - Parameter isDamaged: whether lines of the journal cannot be read. Then those lines may refer to the bytes, which are
  ///   kept under other names.
  /// - Returns: the paths of the files that were kept.
  package func finishRestoring(isDamaged: Bool) -> [String] {
    guard let permanentPath else { return [] }
    let entries = state.withLock { $0.entries }
    var kept: [String] = []
    for name in SystemIO.fileNames(in: permanentPath) where Self.number(name) != nil && entries[name] == nil {
      let path = "\(permanentPath)/\(name)"
      let aside = Self.nameAside(path)
      if isDamaged, rename(path, aside) == 0 { kept.append(aside) } else if !isDamaged { unlink(path) }
    }
    // A file that cannot be opened now fails when it is written.
    for file in entries.values.compactMap(\.file) {
      try? MediaDescriptor(file.path).resize(to: file.committedCount)
    }
    return kept
  }

  /// The path under which a damaged file is kept.
  private static func nameAside(_ path: String) -> String {
    var number = 1
    while SystemIO.exists("\(path).damaged-\(number)") { number += 1 }
    return "\(path).damaged-\(number)"
  }

  /// Keeps a damaged file under another name, for inspection, and replaces it with its undamaged beginning.
  ///
  /// - Returns: the other path.
  func replaceDamaged(_ file: MediaFile) throws(SystemError) -> String {
    let (aside, repaired) = (Self.nameAside(file.path), "\(file.path).repaired")
    unlink(repaired)
    try MediaDescriptor.create(repaired)
    let copy = try MediaDescriptor(repaired)
    let original = try MediaDescriptor(file.path)
    _ = try original.forEachPiece(in: 0..<file.committedCount) { (bytes, offset) throws(SystemError) in
      if !bytes.isZero { try copy.write(bytes, at: offset) }
    }
    try copy.resize(to: file.committedCount)
    try copy.synchronize()
    guard link(file.path, aside) == 0, rename(repaired, file.path) == 0 else { throw .last }
    return aside
  }

  private static func check(_ path: String) throws(MediaFolderError) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      guard errno == ENOENT else { throw MediaFolderError(path, "cannot be used: \(SystemError.last.reason)") }
      return
    }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw MediaFolderError(path, "is not a folder") }
    guard status.st_uid == geteuid() else { throw MediaFolderError(path, "belongs to another user") }
    guard status.st_mode & 0o077 == 0 || chmod(path, 0o700) == 0 else {
      throw MediaFolderError(path, "cannot be made private: \(SystemError.last.reason)")
    }
  }
}

/// Why a folder cannot hold the bytes of uploads.
package struct MediaFolderError: Error, CustomStringConvertible {
  package let description: String

  init(_ path: String, _ problem: String) {
    description = "the folder of uploads \(path) \(problem); choose another state file, or remove the folder"
  }
}

extension MockFailure {
  /// Stores bytes, and throws the error of a system call as a failure.
  static func storing<Result>(_ body: () throws(SystemError) -> Result) throws(MockFailure) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      let isFull = [ENOSPC, EDQUOT, EFBIG].contains(error.code)
      throw MockFailure(isFull ? .resourceExhausted : .unavailable, "cannot store the bytes: \(error.reason)")
    }
  }
}
