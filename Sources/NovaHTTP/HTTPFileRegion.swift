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
  }
}

/// An open file that serves reads of a region.
package final class HTTPFileReader: Sendable {
  private let region: HTTPFileRegion
  private let descriptor: Int32

  package init(_ region: HTTPFileRegion) throws(HTTPBodyError) {
    self.region = region
    // A pipe that has taken the file's place must not hold up the other transfers.
    descriptor = open(region.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadableFile(path: region.path, reason: SystemError(code: errno).reason) }
  }

  deinit { close(descriptor) }

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
