import NovaLibc
import NovaSupport

/// A region of a file, as the body of a request. The file is opened when the request is sent, and read in pieces.
///
/// ```swift
/// let video = try HTTPFileRegion(path: "/videos/holiday.mp4")
/// let request = HTTPRequest(method: .put, url: url, body: .file(video))
/// ```
public struct HTTPFileRegion: Sendable, Hashable {
  /// The file.
  public let path: String
  /// The start of the region, in bytes from the beginning of the file.
  public let offset: Int
  /// The size of the region, in bytes.
  public let length: Int
  /// The open file, if any. The region then refers to it, even if another file takes its place.
  let openFile: HTTPOpenFile?

  /// Creates a region of an open file.
  ///
  /// - Parameters:
  ///   - path: the file's path, for messages.
  ///   - range: a range within the file; not checked.
  package init(_ file: HTTPOpenFile, path: String, range: Range<Int>) {
    self.path = path
    offset = range.lowerBound
    length = range.count
    openFile = file
  }

  /// Creates a region, based on the file's current size.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - offset: The start of the region. Default: the beginning of the file.
  ///   - length: The region's size. Default: up to the end of the file.
  /// - Throws: ``HTTPBodyError/unreadableFile(path:reason:)`` if it is not a regular file, or ends before the region.
  public init(path: String, offset: Int = 0, length: Int? = nil) throws(HTTPBodyError) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .unreadableFile(path: path, reason: SystemError(code: errno).reason)
    }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadableFile(path: path, reason: "not a regular file") }
    let size = Int(status.st_size)
    guard offset >= 0, offset <= size, (length ?? 0) >= 0, (length ?? 0) <= size - offset else {
      throw .unreadableFile(path: path, reason: "the region is not within the file's \(size) bytes")
    }
    self.path = path
    self.offset = offset
    self.length = length ?? size - offset
    openFile = nil
  }
}

/// A file that is open for reading as long as it is referenced.
package final class HTTPOpenFile: Sendable, Hashable {
  /// Only read at explicit positions, because several readers share it.
  package let descriptor: Int32

  /// Opens a file.
  package init(path: String) throws(HTTPBodyError) {
    // If a pipe has taken the file's place, it must not block other transfers.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadableFile(path: path, reason: SystemError(code: errno).reason) }
  }

  deinit { close(descriptor) }

  package static func == (left: HTTPOpenFile, right: HTTPOpenFile) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Reads a region of an open file.
package final class HTTPFileReader: Sendable {
  private let region: HTTPFileRegion
  private let file: HTTPOpenFile
  private var descriptor: Int32 { file.descriptor }

  package init(_ region: HTTPFileRegion) throws(HTTPBodyError) {
    self.region = region
    if let open = region.openFile { file = open } else { file = try HTTPOpenFile(path: region.path) }
  }

  /// Fills `buffer` up to the end of the region, and returns the number of bytes.
  ///
  /// - Throws: ``HTTPBodyError/unreadableFile(path:reason:)``, also if the file ends before the region.
  package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(HTTPBodyError) -> Int {
    let wanted = min(buffer.count, region.length - offset)
    guard wanted > 0 else { return 0 }
    while true {
      let count = pread(descriptor, buffer.baseAddress, wanted, off_t(region.offset + offset))
      if count > 0 { return count }
      if count < 0, errno == EINTR { continue }
      let reason = count == 0 ? "it is shorter than it was" : SystemError(code: errno).reason
      throw .unreadableFile(path: region.path, reason: reason)
    }
  }

  package func read(at offset: Int, count: Int) throws(HTTPBodyError) -> [UInt8] {
    if count <= 0 { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let result = bytes.withUnsafeMutableBytes { buffer -> Result<Int, HTTPBodyError> in
      Result { () throws(HTTPBodyError) in try read(at: offset, into: buffer) }
    }
    bytes.removeLast(count - (try result.get()))
    return bytes
  }
}
