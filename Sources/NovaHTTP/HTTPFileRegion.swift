import NovaSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A region of a file, as the body of a request. The file is opened when the request is sent, and read piece by piece.
///
/// ```swift
/// let video = try HTTPFileRegion(path: "/videos/holiday.mp4")
/// let request = HTTPRequest(method: .put, url: url, body: .file(video))
/// ```
public struct HTTPFileRegion: Sendable, Hashable {
  /// The file.
  public let path: String
  /// Where the region begins, in bytes from the beginning of the file.
  public let offset: Int
  /// The size of the region, in bytes.
  public let length: Int
  /// The file, if it is open: whatever takes its place, the region is that of this file.
  let openFile: HTTPOpenFile?

  /// Creates a region of a file that is open.
  ///
  /// - Parameters:
  ///   - path: the file's path, for messages.
  ///   - range: within the file; not checked here.
  package init(_ file: HTTPOpenFile, path: String, range: Range<Int>) {
    self.path = path
    offset = range.lowerBound
    length = range.count
    openFile = file
  }

  /// Creates a region from a file's present size.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - offset: Where the region begins. Default: the beginning of the file.
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

/// A file that is open for reading until nothing refers to it anymore.
package final class HTTPOpenFile: Sendable, Hashable {
  /// Read at positions only: several readers share it.
  package let descriptor: Int32

  /// Opens a file.
  package init(path: String) throws(HTTPBodyError) {
    // A pipe that has taken the file's place must not hold up the other transfers.
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadableFile(path: path, reason: SystemError(code: errno).reason) }
  }

  deinit { close(descriptor) }

  package static func == (left: HTTPOpenFile, right: HTTPOpenFile) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// An open file that serves reads of a region.
package final class HTTPFileReader: Sendable {
  private let region: HTTPFileRegion
  private let file: HTTPOpenFile
  private var descriptor: Int32 { file.descriptor }

  package init(_ region: HTTPFileRegion) throws(HTTPBodyError) {
    self.region = region
    if let open = region.openFile { file = open } else { file = try HTTPOpenFile(path: region.path) }
  }

  /// Fills `buffer` as far as the region goes, and returns how many bytes that are.
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
