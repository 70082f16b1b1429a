import Foundation
import NovaTestSupport

/// A small file system in memory, for the server.
struct SmallDisk {
  static let isPossible = getuid() == 0 && (try? SmallDisk(megabytes: 1).remove()) != nil

  private let folder: TemporaryFolder
  var path: String { folder.path }

  init(megabytes: Int) throws {
    folder = try TemporaryFolder()
    // The server runs as nobody.
    try Self.run(
      "/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m,uid=65534,gid=65534,mode=700", "tmpfs", folder.path])
  }

  func fill() throws {
    let file = open("\(path)/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    defer { close(file) }
    let bytes = [UInt8](repeating: 1, count: 4096)
    while write(file, bytes, bytes.count) > 0 {}
  }

  func empty() { unlink("\(path)/filler") }

  /// Detaches it, although the server still uses it.
  func remove() { try? Self.run("/usr/bin/umount", ["-l", path]) }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw CocoaError(.fileWriteUnknown) }
  }
}
