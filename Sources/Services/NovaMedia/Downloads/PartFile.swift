internal import CNovaFiles
import NovaCore
import NovaLibc

/// The file that a download writes, `<path>.part`, and its record, `<path>.part.json`, which describes the file that
/// the bytes are from.
///
/// How it works:
/// - The file is locked while it is open, so that two downloads never write it.
/// - ``begin(_:)`` writes the record before the first byte. So bytes without a record were written by another program:
///   they are kept, and the download fails. Bytes with the record of another file are discarded.
/// - ``publish(replacing:)`` writes the file to the disk, moves it to `<path>`, and then removes the record.
/// - After a failure, ``keep(ifUsable:)`` keeps both files for the next download, or ``discard()`` removes them.
/// - Other programs may change, replace, or remove the file at any time. ``problem(of:size:at:)`` detects that before
///   any step that would harm their file.
final class PartFile {
  private let path: String
  private let descriptor: Int32
  /// Writes bytes to a descriptor; replaced by tests.
  private let writeBytes: Writing
  private(set) var size: Int
  /// Whether the server sent a validator, so that a later download can continue after these bytes.
  private(set) var canContinue = false
  /// The record next to the file; nil if absent.
  private var recordBytes: [UInt8]?
  /// The number of bytes that the system has started to write to the disk.
  private var writebackEnd = 0
  private static let writebackSize = 16 << 20
  private static let recordLimit = 64 << 10

  typealias Writing = @Sendable (_ bytes: [UInt8], _ descriptor: Int32) throws(SystemError) -> Void

  private var partPath: String { "\(path).part" }
  private var recordPath: String { "\(path).part.json" }

  /// Opens or creates the file.
  ///
  /// - Parameter path: the path of the complete file.
  /// - Throws: ``APIError`` if the file cannot be written, another download writes it, or it is not from a download.
  init(for path: String, writing: @escaping Writing = SystemIO.write) throws(APIError) {
    try Self.check(path)
    self.path = path
    writeBytes = writing
    let isLeft = access("\(path).part", F_OK) == 0
    (descriptor, size) = try Self.open("\(path).part")
    // Users who may not read the file that it replaces must not be able to read this one during the download.
    AtomicFile.keepPermissions(of: path, on: descriptor, isComplete: false)
    // The lock is held, so no other download is writing a record.
    if isLeft { AtomicFile.removeUnpublished(for: recordPath) }
    guard size > 0 else {
      // A record without bytes was left by a download that ended before its first byte. Anything else belongs to the
      // user.
      guard hasForeignRecord else { return }
      if !isLeft { unlink(partPath) }
      throw Self.notADownload(recordPath)
    }
    guard let record = record() else { throw Self.notADownload(partPath) }
    canContinue = record.head.validator != nil
  }

  deinit { SystemIO.unlockAndClose(descriptor) }

  /// Rejects paths that cannot be a file. Root could replace even a device.
  private static func check(_ path: String) throws(APIError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw APIError(
        .invalidArgument, "cannot download", reason: "the path is empty or contains a null character",
        advice: "name a file", rpc: rpc)
    }
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR {
      throw failure(at: path, problem: "it is a directory", advice: "name a file in it")
    }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      throw failure(at: path, problem: "it is not a regular file", advice: "choose another path")
    }
    if !exists, stat(path.parentPath, &status) != 0, errno == ENOENT {
      throw missingDirectory(of: path)
    }
  }

  private static func missingDirectory(of path: String) -> APIError {
    let directory = path.parentPath
    // The path of a removed directory still resolves for processes inside it.
    return failure(
      at: path,
      problem: directory == "."
        ? "the current directory no longer exists" : "there is no directory \(directory.quoted)",
      advice: "create it, or choose another path")
  }

  private static func open(_ path: String) throws(APIError) -> (Int32, size: Int) {
    for _ in 0..<8 {
      guard let (descriptor, isNew) = Self.openFile(path) else {
        switch errno {
        // The download that owned it has just removed it.
        case EEXIST: continue
        case ENOENT: throw missingDirectory(of: path)
        case ELOOP: throw failure(at: path, problem: "it is a symbolic link", advice: "remove it")
        default:
          throw failure(at: path, problem: SystemError.last.reason, advice: "choose a directory you can write to")
        }
      }
      var opened = stat()
      do throws(SystemError) {
        // Otherwise, another user who owns the file would get the bytes. A new file is trusted, because on some network
        // drives, all new files belong to another user.
        try SystemIO.requireRegular(descriptor, isOwn: !isNew)
        guard fstat(descriptor, &opened) == 0 else { throw .last }
      } catch {
        close(descriptor)
        let isForeign = error == .foreignFile
        throw failure(
          at: path, problem: isForeign ? error.reason : "it is not a regular file",
          advice: isForeign ? "remove it, or choose another path" : "remove it")
      }
      guard (try? SystemIO.lock(descriptor)) == true else {
        close(descriptor)
        throw failure(
          at: path, problem: "another download writes it", advice: "wait for it to finish, or choose another path")
      }
      // The download that held the lock before may have just moved its file to its place.
      if SystemIO.isOpen(descriptor, at: path), fstat(descriptor, &opened) == 0 {
        return (descriptor, Int(opened.st_size))
      }
      SystemIO.unlockAndClose(descriptor)
    }
    throw failure(
      at: path, problem: "other downloads write it", advice: "wait for them to finish, or choose another path")
  }

  /// Opens or creates the file; nil if that fails. Then `errno` is `EEXIST` if the file existed but was removed before
  /// it could be opened, and `ENOENT` if the directory is missing. Does not block, even if there is a pipe at the path.
  private static func openFile(_ path: String) -> (descriptor: Int32, isNew: Bool)? {
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK
    // Private until it has the permissions of the file that it replaces.
    let mode: UInt32 = SystemIO.exists(String(path.dropLast(".part".count))) ? 0o600 : 0o666
    let new = SystemIO.descriptor(path, flags | O_CREAT | O_EXCL, mode: mode)
    if new >= 0 { return (new, true) }
    guard errno == EEXIST else { return nil }
    let old = SystemIO.descriptor(path, flags)
    if old >= 0 { return (old, false) }
    if errno == ENOENT { errno = EEXIST }
    return nil
  }

  // MARK: Content

  /// The record of the bytes in the file; nil if unknown.
  func record() -> PartRecord? {
    guard size > 0, let bytes = try? SystemIO.readFile(recordPath, limit: Self.recordLimit, .own),
      let record = PartRecord(bytes)
    else { return nil }
    recordBytes = bytes
    return record
  }

  /// Whether the user's own file is in the place of the record. A file that cannot be read, or belongs to another user,
  /// does not prevent a download.
  private var hasForeignRecord: Bool {
    do throws(SystemError) {
      guard let bytes = try SystemIO.readFile(recordPath, limit: Self.recordLimit, .own) else { return true }
      return PartRecord(bytes) == nil
    } catch {
      return false
    }
  }

  /// Empties the file, and records the file that the next bytes are from.
  func begin(_ record: PartRecord) throws(APIError) {
    try truncate(to: 0)
    canContinue = record.head.validator != nil
    do {
      let bytes = record.json
      var file = try AtomicFile(for: recordPath)
      try file.write(bytes)
      try file.publish()
      recordBytes = bytes
    } catch { throw failure(error, at: recordPath) }
  }

  /// Keeps only the first bytes.
  func truncate(to size: Int) throws(APIError) {
    guard ftruncate(descriptor, off_t(size)) == 0, lseek(descriptor, off_t(size), SEEK_SET) >= 0 else {
      throw failure(.last)
    }
    self.size = size
    writebackEnd = min(writebackEnd, size)
  }

  func write(_ bytes: [UInt8]) throws(APIError) {
    // If another program has emptied the file, writing would leave a hole. Its name is not checked for each chunk.
    do { try SystemIO.requireSize(size, of: descriptor) } catch { throw failure(error) }
    do { try writeBytes(bytes, descriptor) } catch {
      // Some of the bytes may have been written.
      size = max(size, Int(lseek(descriptor, 0, SEEK_CUR)))
      throw failure(error)
    }
    size += bytes.count
    startWriteback()
  }

  /// Makes the system start to write the bytes to the disk while more arrive. Otherwise, a large download would have to
  /// wait for all of them at its end.
  private func startWriteback() {
    guard size - writebackEnd >= Self.writebackSize else { return }
    nova_start_writeback(descriptor, Int64(writebackEnd), Int64(size - writebackEnd))
    writebackEnd = size
  }

  /// Whether the file has this digest.
  func matches(_ digest: [UInt8]) async throws -> Bool {
    let check = try DigestCheck(digest)
    do {
      guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw SystemError.last }
      while case let bytes = try SystemIO.read(descriptor, atMost: 1 << 20), !bytes.isEmpty {
        await check.take(bytes)
        try Task.checkCancellation()
        // Hashing a large file takes minutes, and other tasks need the thread.
        await Task.yield()
      }
    } catch let error as SystemError { throw failure(error) }
    return try await check.matches()
  }

  // MARK: Ending

  /// Writes the file to the disk, moves it into its place, and removes its record.
  ///
  /// - Parameter replaces: whether to replace an existing file. If not, the bytes stay where they are.
  func publish(replacing replaces: Bool = true) async throws(APIError) {
    let (descriptor, path, partPath, size) = (descriptor, path, partPath, size)
    let failure: SystemError? = await BlockingWork.run {
      do throws(SystemError) {
        try SystemIO.synchronize(descriptor)
        if let problem = Self.problem(of: descriptor, size: size, at: partPath) { throw problem }
        AtomicFile.keepPermissions(of: path, on: descriptor)
        if replaces {
          guard rename(partPath, path) == 0 else { throw .last }
        } else if try !SystemIO.moveToFreePlace(partPath, path) {
          throw SystemError(code: EEXIST)
        }
        Self.removeRecord(for: path)
        try SystemIO.synchronizeDirectory(path.parentPath)
        return nil
      } catch {
        return error
      }
    }
    if let failure, failure.code == EEXIST {
      let problem =
        SystemIO.exists(path)
        ? "a file appeared there during the download" : "a symbolic link is there that leads to no file"
      throw Self.failure(
        at: path, problem: problem,
        advice: "move it away, and download again: the bytes stay in \("\(path).part".quoted)")
    }
    if let failure { throw self.failure(failure) }
  }

  /// Removes the record of a file that was just moved into its place, or whose name now belongs to another file.
  /// Removing it earlier would be wrong, because bytes without a record are not continued.
  ///
  /// When the file leaves `<path>.part`, so does its lock. Therefore this acquires the lock again: if another download
  /// to this path has begun, the record belongs to that one.
  ///
  /// - Parameter own: the record to remove even next to another file, because it does not describe that file.
  static func removeRecord(_ own: [UInt8]? = nil, for path: String) {
    let recordPath = "\(path).part.json"
    guard let (descriptor, size) = try? open("\(path).part") else { return }
    if size == 0 {
      unlink(recordPath)
      unlink("\(path).part")
    } else if let own, (try? SystemIO.readFile(recordPath, limit: recordLimit, .own)) == own {
      unlink(recordPath)
    }
    SystemIO.unlockAndClose(descriptor)
  }

  /// Ends a failed download. Keeps the bytes if a later download can continue them.
  ///
  /// - Parameter isUsable: whether the bytes are the server's.
  func keep(ifUsable isUsable: Bool) {
    let problem = Self.problem(of: descriptor, size: size, at: partPath)
    guard size > 0, isUsable, problem != .changedFile else { return discard() }
    if problem == .replacedFile { Self.removeRecord(recordBytes, for: path) }
  }

  /// Removes the file and its record.
  func discard() {
    let isReplaced = Self.problem(of: descriptor, size: size, at: partPath) == .replacedFile
    // Emptied first, so that a program that ends between the two steps leaves no bytes without a record.
    _ = ftruncate(descriptor, 0)
    if isReplaced { return Self.removeRecord(recordBytes, for: path) }
    unlink(recordPath)
    unlink(partPath)
  }

  // MARK: Other programs

  /// What another program did to the open file; nil if nothing: `replacedFile` if its name belongs to another file, or
  /// to none; `changedFile` if its size differs from the one that was written.
  private static func problem(of descriptor: Int32, size: Int, at path: String) -> SystemError? {
    guard SystemIO.isOpen(descriptor, at: path) else { return .replacedFile }
    do { try SystemIO.requireSize(size, of: descriptor) } catch { return error }
    return nil
  }

  // MARK: Failures

  private static var rpc: String { MediaService.downloadBytes.descriptor.id }

  private func failure(_ error: SystemError, at place: String? = nil) -> APIError {
    let advice =
      if ![ENOSPC, EDQUOT, EFBIG].contains(error.code) {
        "correct that and download again"
      } else if canContinue {
        "make room and download again: it continues after \(size) bytes"
      } else {
        "make room and download again"
      }
    let isForeign = error == .replacedFile || error == .changedFile
    return Self.failure(at: place ?? partPath, problem: error.reason, advice: isForeign ? "download again" : advice)
  }

  private static func notADownload(_ path: String) -> APIError {
    failure(at: path, problem: "it was not left by a download", advice: "remove it, or choose another path")
  }

  private static func failure(at path: String, problem: String, advice: String) -> APIError {
    APIError(.failedPrecondition, "cannot write \(path.quoted)", reason: problem, advice: advice, rpc: rpc)
  }
}
