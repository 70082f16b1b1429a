import Foundation
import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCache

/// A file system of 64 KiB, for processes that may mount one and have a mount namespace of their own:
/// `NOVA_TEST_MOUNTS=1 unshare --mount swift test …`
private final class TinyDisk {
  static let isAvailable = ProcessInfo.processInfo.environment["NOVA_TEST_MOUNTS"] == "1"

  let path: String
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path
    try Self.run("/bin/mount", ["-t", "tmpfs", "-o", "size=64k", "nova-test", path])
  }

  deinit { try? Self.run("/bin/umount", [path]) }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let process = try Process.run(URL(filePath: program), arguments: arguments)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  }
}

struct FullDiskTests {
  /// With a full disk, nothing is stored, and no call fails.
  @Test(.enabled(if: TinyDisk.isAvailable))
  func storesNothingOnAFullDisk() async throws {
    let disk = try TinyDisk()
    let body = [UInt8](repeating: 7, count: 100_000)
    let fixture = CacheFixture(.init(memoryBytes: 0, directory: disk.path)) { _, _ in
      HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"], body: body)
    }
    for _ in 0..<2 { #expect(try await fixture.send().body.collect(upTo: 1 << 20) == body) }
    for _ in 0..<2 { #expect(try await fixture.send(streams: true).body.collect(upTo: 1 << 20) == body) }
    #expect(fixture.requestCount == 4)
    #expect(await fixture.cache.usage().diskBytes == 0)
  }
}
