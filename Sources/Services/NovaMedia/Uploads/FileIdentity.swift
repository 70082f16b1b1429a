import NovaCore
import NovaLibc

/// Distinguishes a file from other files, and from itself after a change.
struct FileIdentity: Sendable, Hashable {
  var size: Int
  /// When the content was last modified, in nanoseconds since 1970.
  var modified: Int
  var device: UInt64
  var inode: UInt64

  init(size: Int, modified: Int, device: UInt64, inode: UInt64) {
    (self.size, self.modified, self.device, self.inode) = (size, modified, device, inode)
  }

  private init(_ status: stat) {
    modified = status.modifiedNanoseconds
    size = Int(status.st_size)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    inode = UInt64(truncatingIfNeeded: status.st_ino)
  }

  /// The identity of an open file.
  ///
  /// - Throws: also if it is not a regular file.
  init(descriptor: Int32) throws(SystemError) {
    try SystemIO.requireRegular(descriptor)
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .last }
    self.init(status)
  }

  /// The identity of the file at a path; nil if there is no file, or it cannot be reached.
  init?(path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// How another file differs from this one, as the end of a sentence; nil if they are equal.
  func difference(from other: FileIdentity) -> String? {
    if other == self { return nil }
    if other.size > size { return "it grew from \(size) to \(other.size) bytes" }
    if other.size < size { return "it shrank from \(size) to \(other.size) bytes" }
    if other.inode != inode || other.device != device { return "another file has taken its place" }
    return "it was modified"
  }
}
