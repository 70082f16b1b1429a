import NovaCore
import NovaLibc

/// A file that is read in chunks or line by line.
struct InputFile: ~Copyable {
  /// The maximum length of a line.
  static let maximumLine = 16 * 1024 * 1024
  private static let chunk = 256 * 1024

  private let path: String
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  init(_ path: String) throws(FixtureError) {
    self.path = path
    do throws(SystemError) { descriptor = try SystemIO.openFile(path) } catch {
      if [.notRegularFile, SystemError(code: EISDIR)].contains(error) {
        throw .unreadable("\(path) is not a regular file")
      }
      throw FileSystem.failure(path, to: "read", error)
    }
  }

  deinit { close(descriptor) }

  /// Reads the next chunk; empty at the end.
  mutating func piece() throws(FixtureError) -> [UInt8] {
    do throws(SystemError) { return try SystemIO.read(descriptor, atMost: Self.chunk) } catch {
      throw FileSystem.failure(path, to: "read", error)
    }
  }

  /// Reads the next line without its line feed; nil at the end.
  mutating func line() throws(FixtureError) -> ArraySlice<UInt8>? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { start = end + 1 }
        return buffer[start..<end]
      }
      searched = buffer.count - start
      if isAtEnd {
        defer { start = buffer.count }
        return start < buffer.count ? buffer[start...] : nil
      }
      guard searched <= Self.maximumLine else {
        throw .unreadable("\(path) has a line of more than \(Self.maximumLine) bytes")
      }
      buffer.removeSubrange(..<start)
      start = 0
      let piece = try piece()
      isAtEnd = piece.isEmpty
      buffer += piece
    }
  }
}
