import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// What others have put beside the place of a download, before it or during it.
@Suite(.hangLimit) struct PlantedPartTests {
  private typealias Behavior = FileServer.Behavior
  private let folder: TemporaryFolder
  private var path: String { "\(folder.path)/file" }
  private let bytes = someBytes(200_000)

  init() throws { folder = try TemporaryFolder() }

  private func mode(_ path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  @Test(arguments: ["file.part", "file.part.json"]) func aPipeMakesNobodyWait(_ name: String) async throws {
    #expect(mkfifo("\(folder.path)/\(name)", 0o600) == 0)
    if name == "file.part.json" { _ = try folder.write("some", to: "file.part") }
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, server in
      let error = await #expect(throws: APIError.self) { try await media.download(url: "/1", to: path) }
      #expect(error?.code == .failedPrecondition && server.requests.isEmpty, "\(error as Any)")
    }
  }

  /// The victim's bytes would be in the file of whoever has put it there.
  @Test(.enabled(if: geteuid() == 0), arguments: ["file.part", "file.part.json"])
  func aFileOfAnotherUserIsNotUsed(_ name: String) async throws {
    let script = FileServer.script { [bytes] in Behavior(file: bytes, resetsAfter: $0 == 0 ? 70_000 : nil) }
    try await withMedia(script, resilience: .none) { media, server in
      await #expect(throws: APIError.self) { try await media.download(url: "/1", to: path) }
      let left = try folder.bytes("file.part")
      let count = server.requests.count
      #expect(!left.isEmpty && chown("\(folder.path)/\(name)", 65_534, 65_534) == 0)
      let error = await #expect(throws: APIError.self) { try await media.download(url: "/1", to: path) }
      #expect(error?.code == .failedPrecondition && server.requests.count == count, "\(error as Any)")
      #expect(try folder.bytes("file.part") == left)
      // The same files of this user are continued.
      #expect(chown("\(folder.path)/\(name)", geteuid(), getegid()) == 0)
      #expect(try await media.download(url: "/1", to: path).resumedFrom == left.count)
    }
    #expect(try folder.bytes("file") == bytes && folder.names == ["file"])
  }

  @Test func aPartThatWasReplacedDoesNotTakeThePlace() async throws {
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, _ in
      let part = "\(path).part"
      let error = await #expect(throws: APIError.self) {
        try await media.download(url: "/1", to: path) { progress in
          guard progress.receivedBytes == 0 else { return }
          unlink(part)
          try? Data("other".utf8).write(to: URL(filePath: part))
        }
      }
      #expect(error?.message.contains("something else took its place") == true, "\(error as Any)")
    }
    #expect(try !folder.names.contains("file") && folder.bytes("file.part") == Array("other".utf8))
  }

  @Test(arguments: [0o600, 0o640, 0o666, 0o400]) func aReplacedFileKeepsItsPermissions(_ mode: Int) async throws {
    _ = try folder.write("old", to: "file")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, _ in
      let modes = Locked<Set<Int>>([])
      try await media.download(url: "/1", to: path) { progress in
        guard progress.receivedBytes < bytes.count, let now = try? self.mode("\(path).part") else { return }
        modes.withLock { _ = $0.insert(now) }
      }
      // What arrives is not for more people than what is there.
      #expect(modes.withLock { $0 } == [mode | 0o600])
    }
    #expect(try folder.bytes("file") == bytes && self.mode(path) == mode)
  }
}
