internal import CNovaFiles
import NovaCore

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file that a download writes, `<path>.part`, and the record of what it is a part of, `<path>.part.json`.
///
/// The file is locked while it is open, so that no two downloads write it. Its record is there before its first byte: bytes
/// without a record were written by something else, and stay. Bytes with the record of another file are not used.
final class PartFile {
  private let path: String
  private let descriptor: Int32
  /// Writes bytes to a descriptor; replaced by tests.
  private let writeBytes: Writing
  private(set) var size: Int
  /// Whether the server sent something with which a later download can continue after these bytes.
  private(set) var canContinue = false
  /// The record that is beside the file; nil if it has none.
  private var recordBytes: [UInt8]?
  /// How many bytes the system has begun to bring to the disk, and how many it gets at a time.
  private var writebackEnd = 0
  private static let writebackSize = 16 << 20
  private static let recordLimit = 64 << 10

  typealias Writing = @Sendable (_ bytes: [UInt8], _ descriptor: Int32) throws(SystemError) -> Void

  /// Writes all of the bytes.
  static let write: Writing = { (bytes, descriptor) throws(SystemError) in
    try SystemIO.write(bytes, to: descriptor)
  }

  private var partPath: String { "\(path).part" }
  private var recordPath: String { "\(path).part.json" }

  /// Opens the file, or creates it.
  ///
  /// - Parameter path: where the file goes when it is complete.
  /// - Throws: ``APIError`` if it cannot be written there, another download writes it, or it was not left by a download.
  init(
    for path: String,
    writing: @escaping Writing = PartFile.write
  ) throws(APIError) {
    try Self.check(path)
    self.path = path
    writeBytes = writing
    let isLeft = access("\(path).part", F_OK) == 0
    (descriptor, size) = try Self.open("\(path).part")
    // Users who may not read the file that it replaces must not be able to read this one during the download.
    AtomicFile.keepPermissions(of: path, on: descriptor, isComplete: false)
    // The lock is held, so no other download writes a record here.
    if isLeft { AtomicFile.removeUnpublished(for: recordPath) }
    guard size > 0 else {
      // A record is all that is left of a download that ended before its first byte. Anything else is the user's.
      guard hasForeignRecord else { return }
      if !isLeft { unlink(partPath) }
      throw Self.notADownload(recordPath)
    }
    guard let record = record() else { throw Self.notADownload(partPath) }
    canContinue = record.head.validator != nil
  }

  deinit { SystemIO.unlockAndClose(descriptor) }

  /// Refuses places that a file cannot take. Root could replace even a device.
  private static func check(_ path: String) throws(APIError) {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw APIError(
        .invalidArgument, "cannot download: the path is empty or contains a null character; name a file", rpc: rpc)
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
    // The path of a directory that was removed still leads to it, for those who are in it.
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
        // Just removed by the download that had it.
        case EEXIST: continue
        case ENOENT: throw missingDirectory(of: path)
        case ELOOP: throw failure(at: path, problem: "it is a symbolic link", advice: "remove it")
        default:
          throw failure(at: path, problem: SystemError.last.reason, advice: "choose a directory you can write to")
        }
      }
      var opened = stat()
      do throws(SystemError) {
        // Another user who owns it would get the bytes. A file that was just created is trusted: on some network drives,
        // all new files belong to another user.
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
      // The download that had the lock before may just have moved its file to its place.
      if SystemIO.isOpen(descriptor, at: path), fstat(descriptor, &opened) == 0 {
        return (descriptor, Int(opened.st_size))
      }
      SystemIO.unlockAndClose(descriptor)
    }
    throw failure(
      at: path, problem: "other downloads write it", advice: "wait for them to finish, or choose another path")
  }

  /// Opens the file, or creates it; nil if that is impossible, with `EEXIST` for a file that is there and cannot be opened
  /// because it was removed in between, and `ENOENT` for a missing directory. Without blocking: a pipe in this place must not
  /// wait for its reader.
  private static func openFile(_ path: String) -> (descriptor: Int32, isNew: Bool)? {
    let flags = O_RDWR | O_NOFOLLOW | O_NONBLOCK
    // Until it has the permissions of the file that it replaces.
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

  /// What the bytes in the file are a part of; nil if that is unknown.
  func record() -> PartRecord? {
    guard size > 0, let bytes = try? SystemIO.readFile(recordPath, limit: Self.recordLimit, .own),
      let record = PartRecord(bytes)
    else { return nil }
    recordBytes = bytes
    return record
  }

  /// Whether there is a file of the user's at the place of the record. What cannot be read, and what belongs to another
  /// user, does not prevent a download.
  private var hasForeignRecord: Bool {
    do throws(SystemError) {
      guard let bytes = try SystemIO.readFile(recordPath, limit: Self.recordLimit, .own) else { return true }
      return PartRecord(bytes) == nil
    } catch {
      return false
    }
  }

  /// Empties the file, and records what it becomes a part of.
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

  /// Keeps the first bytes only.
  func truncate(to size: Int) throws(APIError) {
    guard ftruncate(descriptor, off_t(size)) == 0, lseek(descriptor, off_t(size), SEEK_SET) >= 0 else {
      throw failure(.last)
    }
    self.size = size
    writebackEnd = min(writebackEnd, size)
  }

  func write(_ bytes: [UInt8]) throws(APIError) {
    // A file that another program has emptied would become one with a hole.
    do { try SystemIO.requireSize(size, of: descriptor) } catch { throw failure(error) }
    do { try writeBytes(bytes, descriptor) } catch {
      // A part of them may be there.
      size = max(size, Int(lseek(descriptor, 0, SEEK_CUR)))
      throw failure(error)
    }
    size += bytes.count
    startWriteback()
  }

  /// Lets the system begin to bring the bytes to the disk while others arrive. Otherwise, a large download would wait for
  /// all of them at its end.
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
        // A large file takes minutes, in which other tasks need the thread.
        await Task.yield()
      }
    } catch let error as SystemError { throw failure(error) }
    return try await check.matches()
  }

  // MARK: Ending

  /// Writes the file to the disk, puts it in its place, and removes its record.
  ///
  /// - Parameter replaces: whether a file that is there now is replaced. If not, the bytes stay where they are.
  func publish(replacing replaces: Bool = true) async throws(APIError) {
    let (descriptor, path, partPath, size) = (descriptor, path, partPath, size)
    let failure: SystemError? = await BlockingWork.run {
      do throws(SystemError) {
        try SystemIO.synchronize(descriptor)
        try SystemIO.requireSize(size, of: descriptor)
        AtomicFile.keepPermissions(of: path, on: descriptor)
        // Another file that has taken this name must not take the other one, too.
        guard SystemIO.isOpen(descriptor, at: partPath) else { throw .replacedFile }
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

  /// Removes the record of a file that has just taken its place, or that has lost its name to another one. Not before: bytes
  /// without a record are not continued.
  ///
  /// With the file, the lock is gone from `<path>.part`. So this acquires it again: if another download to this place has
  /// begun, the record is that one's.
  ///
  /// - Parameter own: the record, if it must not stay beside another file either: its bytes are something else's.
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

  /// Ends a download that failed. The bytes stay if a later one can continue them.
  ///
  /// - Parameter isUsable: whether they are a part of what the server has.
  func keep(ifUsable isUsable: Bool) {
    guard size > 0, isUsable, isUnchanged else { return discard() }
    guard SystemIO.isOpen(descriptor, at: partPath) else {
      return Self.removeRecord(recordBytes, for: path)
    }
  }

  /// Whether nothing else has written to the file, as far as its size tells.
  private var isUnchanged: Bool {
    do { try SystemIO.requireSize(size, of: descriptor) } catch { return error != .changedFile }
    return true
  }

  /// Removes the file and its record.
  func discard() {
    // A program that ends between the two steps leaves no bytes without a record.
    _ = ftruncate(descriptor, 0)
    guard SystemIO.isOpen(descriptor, at: partPath) else { return Self.removeRecord(recordBytes, for: path) }
    unlink(recordPath)
    unlink(partPath)
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
    APIError(.failedPrecondition, "cannot write \(path.quoted): \(problem); \(advice)", rpc: rpc)
  }
}
