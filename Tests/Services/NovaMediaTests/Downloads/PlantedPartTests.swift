import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// What other users and programs put next to the path of a download, before or during it.
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

  /// Otherwise, the victim's bytes would be in the file of whoever planted it.
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
      // The same files are continued if they belong to this user.
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
    // Its record would make the next download continue another file's bytes.
    #expect(try folder.names == ["file.part"] && folder.bytes("file.part") == Array("other".utf8))
  }

  /// The same, if the download ends before it is complete.
  @Test(arguments: ["replaced", "removed", "emptied", "appended"]) func onlyOwnBytesAreContinued(_ what: String)
    async throws
  {
    let script = FileServer.script { [bytes] in Behavior(file: bytes, resetsAfter: $0 == 0 ? 150_000 : nil) }
    try await withMedia(script, resilience: .none) { media, _ in
      let error = await apiError {
        var download = try FileDownload(MediaRequest(media, url: "/1"), to: path, writing: changingPart(to: what))
        return try await download.run()
      }
      #expect(error != nil, "\(what)")
      guard what == "replaced" else {
        let file = try await media.download(url: "/1", to: path)
        #expect(try file.resumedFrom == 0 && folder.bytes("file") == bytes && folder.names == ["file"], "\(what)")
        return
      }
      let again = await apiError { try await media.download(url: "/1", to: path) }
      #expect(again?.message.contains("it was not left by a download") == true, "\(again as Any)")
      #expect(try folder.names == ["file.part"] && folder.bytes("file.part") == Array("other".utf8))
    }
  }

  @Test(arguments: ["emptied", "appended"]) func aChangedPartTakesNoMoreBytes(_ what: String) async throws {
    let part = try PartFile(for: path)
    try part.begin(PartRecord(url: HTTPURL(parsing: "http://a.example/1"), head: MediaHead()))
    try part.write(bytes)
    change("\(path).part", to: what)
    let error = await apiError { try part.write(bytes) }
    #expect(error?.message.contains("another program changed it; download again") == true, "\(error as Any)")
    let ending = await apiError { try await part.publish() }
    #expect(ending?.message.contains("another program changed it; download again") == true, "\(ending as Any)")
    part.keep(ifUsable: true)
    #expect(folder.names.isEmpty)
  }

  /// Writes, and changes the part after its first bytes.
  private func changingPart(to state: String) -> PartFile.Writing {
    let (part, count) = ("\(path).part", Locked(0))
    return { (bytes, descriptor) throws(SystemError) in
      try SystemIO.write(bytes, to: descriptor)
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      if isFirst { change(part, to: state) }
    }
  }

  private func change(_ part: String, to state: String) {
    switch state {
    case "emptied": truncate(part, 0)
    case "appended": truncate(part, 300_000)
    default:
      unlink(part)
      if state == "replaced" { try? Data("other".utf8).write(to: URL(filePath: part)) }
    }
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
      // New bytes are not readable for more users than the existing file, and only this user can write to it.
      #expect(modes.withLock { $0 } == [mode & ~0o022 | 0o600])
    }
    #expect(try folder.bytes("file") == bytes && self.mode(path) == mode)
  }
}
