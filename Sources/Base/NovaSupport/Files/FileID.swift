package import NovaLibc

/// The identity of a file, independent of its name.
package struct FileID: Sendable, Hashable {
  private let device: UInt64
  private let inode: UInt64

  package init(_ status: stat) {
    (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(truncatingIfNeeded: status.st_ino))
  }

  /// The file, directory, or link at a path; nil if nothing is there.
  package init?(at path: String) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    self.init(status)
  }
}

extension SystemIO {
  /// Whether an open file is the one at this path.
  package static func isOpen(_ descriptor: Int32, at path: String) -> Bool {
    var opened = stat()
    return fstat(descriptor, &opened) == 0 && FileID(at: path) == FileID(opened)
  }
}

extension stat {
  /// When the content was last modified, in nanoseconds since 1970.
  package var modifiedNanoseconds: Int {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Int(time.tv_sec) &* 1_000_000_000 &+ Int(time.tv_nsec)
  }
}
