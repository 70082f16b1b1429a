import NovaCore
import NovaHTTP
import NovaLibc
import NovaSupport

/// A file that is being uploaded. It stays open from the beginning to the end of the upload, so that always the same
/// file is sent, and changes of it are detected.
final class UploadFile: Sendable {
  /// The absolute path.
  let path: String
  let identity: FileIdentity
  private let file: HTTPOpenFile

  /// Opens a file.
  ///
  /// - Parameter expected: the identity it must have, for an upload that is resumed.
  /// - Throws: ``APIError``: `invalidArgument` if it cannot be read or is empty; `failedPrecondition` if it changed.
  init(path: String, expected: FileIdentity? = nil) throws {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw Self.refusal("the path must not be empty or contain NUL") }
    do {
      let absolute = try Self.absolute(path)
      file = try HTTPOpenFile(path: absolute)
      self.path = absolute
      identity = try FileIdentity(descriptor: file.descriptor)
    } catch let error as SystemError {
      throw Self.refusal("cannot read \(path.quoted)", reason: error.reason)
    } catch HTTPBodyError.unreadableFile(_, let reason) {
      throw Self.refusal("cannot read \(path.quoted)", reason: reason)
    }
    if let change = expected?.difference(from: identity) { throw changed(change) }
    guard identity.size > 0 else {
      throw Self.refusal("the file \(path.quoted) is empty", advice: "upload at least one byte")
    }
  }

  /// The last component of the path.
  var name: String { path.lastPathPart }

  /// The file name for the server. If it is not UTF-8, the conversion makes it longer, and it is cut to the length that
  /// servers accept.
  var shownName: String {
    var shown = name.shownPath
    while name.hasPathBytes, shown.utf8.count > UploadRequest.longestName { shown.unicodeScalars.removeLast() }
    return shown
  }

  /// A part of the file, as a request body.
  func body(_ range: Range<Int>) -> HTTPBody { .file(HTTPFileRegion(file, path: path, range: range)) }

  /// Reads exactly these bytes.
  ///
  /// - Throws: ``APIError`` `failedPrecondition` if the file has become shorter or unreadable.
  func read(_ range: Range<Int>, into buffer: UnsafeMutableRawBufferPointer) throws {
    var done = 0
    while done < range.count {
      let count = pread(
        file.descriptor, buffer.baseAddress.map { $0 + done }, range.count - done, off_t(range.lowerBound + done))
      if count > 0 {
        done += count
      } else if count == 0 {
        throw changed("it ends after \(range.lowerBound + done) of \(identity.size) bytes")
      } else if errno != EINTR {
        throw APIError(
          .failedPrecondition, "the file \(path.quoted) cannot be read any further", reason: SystemError.last.reason,
          rpc: MediaService.uploadBytes.descriptor.id)
      }
    }
  }

  /// Throws if the file changed since it was opened, or is no longer at its path.
  func checkUnchanged() throws {
    guard let now = try? FileIdentity(descriptor: file.descriptor) else { throw changed("it cannot be read") }
    if let change = identity.difference(from: now) { throw changed(change) }
    guard let there = FileIdentity(path: path) else { throw changed("it was removed or renamed") }
    if let change = identity.difference(from: there) { throw changed(change) }
  }

  private func changed(_ change: String) -> APIError {
    APIError(
      .failedPrecondition,
      "the file \(path.quoted) changed since the upload began", reason: change,
      advice: "upload it again from the beginning",
      rpc: MediaService.uploadBytes.descriptor.id)
  }

  private static func refusal(_ subject: String, reason: String? = nil, advice: String? = nil) -> APIError {
    APIError(.invalidArgument, subject, reason: reason, advice: advice, rpc: MediaRPC.startUpload.descriptor.id)
  }

  private static func absolute(_ path: String) throws(SystemError) -> String {
    if path.hasPrefix("/") { return path }
    guard let current = workingDirectory() else { throw .last }
    return current == "/" ? "/\(path)" : "\(current)/\(path)"
  }
}
