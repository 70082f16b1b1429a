import Foundation
import NovaCore
import NovaCrypto
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// What downloads do to files, and what stops them.
@Suite(.hangLimit) struct DownloadPlaceTests {
  private typealias Behavior = FileServer.Behavior
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/file" }
  private let bytes = someBytes(200_000)

  init() throws { folder = try TemporaryFolder() }

  private func digest(_ name: String, of bytes: [UInt8]) throws -> String {
    "\(name): sha-256=:\(String(decoding: Base64.encode(try SHA256.digest(of: bytes)), as: UTF8.self)):"
  }

  @Test func anExistingFileIsReplacedAtTheEnd() async throws {
    let old = try folder.write("old", to: "file")
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, _ in
      let states = Locked<[String]>([])
      try await media.download(url: "/1", to: old) { progress in
        let now = (try? String(contentsOfFile: old, encoding: .utf8)) ?? "not text"
        states.withLock { $0.append("\(now) \(progress.receivedBytes)") }
      }
      let seen = states.withLock { $0 }
      #expect(seen.first == "old 0" && seen.last?.hasSuffix(" 200000") == true, "\(seen)")
    }
    #expect(try folder.bytes("file") == bytes && folder.names == ["file"])
  }

  @Test(arguments: ["ünïcode 文件 🎬", "with\nline", "-rf", " ", "a\u{202e}b"]) func anyNameWorks(_ name: String)
    async throws
  {
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, _ in
      let file = try await media.download(url: "/1", to: "\(folder.path)/\(name)")
      #expect(file.path.hasSuffix(name))
    }
    #expect(folder.names == [name])
  }

  @Test func aSymbolicLinkIsReplacedItself() async throws {
    _ = try folder.write("kept", to: "target")
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/target")
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, _ in
      try await media.download(url: "/1", to: path)
    }
    #expect(try folder.bytes("target") == Array("kept".utf8) && folder.bytes("file") == bytes)
  }

  /// Paths that cannot be a file are rejected before anything is sent.
  @Test func impossiblePlacesAreRefused() async throws {
    try FileManager.default.createDirectory(atPath: folder.path + "/directory", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/linked.part", withDestinationPath: folder.path + "/elsewhere")
    mkfifo(folder.path + "/pipe.part", 0o600)
    let places = [
      ("\(folder.path)/directory", "it is a directory"),
      ("\(folder.path)/new/", "there is no directory \"\(folder.path)/new\"; create it"),
      ("\(folder.path)/missing/file", "there is no directory \"\(folder.path)/missing\"; create it"),
      ("\(folder.path)/pipe.part/file", "Not a directory"), ("/dev/null", "it is not a regular file"),
      ("\(folder.path)/linked", "it is a symbolic link; remove it"),
      ("\(folder.path)/pipe", "it is not a regular file"),
      ("", "the path is empty"), ("a\0b", "null character"),
    ]
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, server in
      for (place, problem) in places {
        let error = await apiError { try await media.download(url: "/1", to: place) }
        #expect(error?.message.contains(problem) == true, "\(place): \(error?.message ?? "no error")")
        #expect(error?.rpc == "media.DownloadBytes")
      }
      #expect(server.requests.isEmpty)
    }
    #expect(folder.names == ["directory", "linked.part", "pipe.part"])
  }

  /// Of two downloads to one path, one fails at once, and the other is not affected.
  @Test func twoDownloadsToOnePlaceDoNotMix() async throws {
    let reached = AsyncStream<Void>.makeStream()
    let held = DispatchSemaphore(value: 0)
    let script: RawServer.Script = { [bytes] connection in
      guard try connection.readRequest() != nil else { return }
      try connection.write("HTTP/1.1 200 OK\r\nContent-Length: \(bytes.count)\r\n\r\n")
      try connection.write(Array(bytes[..<1000]))
      reached.continuation.yield()
      held.wait()
      try connection.write(Array(bytes[1000...]))
    }
    try await withMedia(script) { media, _ in
      async let first = media.download(url: "/1", to: path)
      for await _ in reached.stream { break }
      let error = await apiError { try await media.download(url: "/2", to: path) }
      #expect(error?.code == .failedPrecondition && error?.message.contains("another download writes it") == true)
      held.signal()
      let file = try await first
      #expect(file.byteCount == bytes.count)
    }
    #expect(try folder.bytes("file") == bytes && folder.names == ["file"])
  }

  /// On a full disk, what was already written is kept for the next download.
  @Test func aFullDiskIsNamed() async throws {
    let writing = FullDisk.writing(roomFor: 50_000)
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, server in
      let error = await apiError {
        var download = try FileDownload(MediaRequest(media, url: "/1"), to: path, writing: writing)
        return try await download.run()
      }
      #expect(error?.code == .failedPrecondition && error?.message.contains("No space left on device") == true)
      #expect(try folder.bytes("file.part") == Array(bytes[..<50_000]))
      let file = try await media.download(url: "/1", to: path)
      #expect(file.resumedFrom == 50_000 && server.requests.last?.header("Range") == "bytes=50000-")
    }
    #expect(try folder.bytes("file") == bytes)
  }

  @Test func aCancelledDownloadContinuesLater() async throws {
    let reached = AsyncStream<Void>.makeStream()
    let script = FileServer.script { _ in Behavior(file: bytes) }
    let isFirst = Locked(true)
    let whole: RawServer.Script = { [bytes] connection in
      guard
        isFirst.withLock({ isFirst in
          defer { isFirst = false }
          return isFirst
        })
      else { return try script(connection) }
      guard try connection.readRequest() != nil else { return }
      try connection.write("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(bytes.count)\r\n\r\n")
      try connection.write(Array(bytes[..<70_000]))
      connection.hang()
    }
    try await withMedia(whole) { media, server in
      let task = Task {
        try await media.download(url: "/1", to: path) { if $0.receivedBytes == 0 { reached.continuation.yield() } }
      }
      for await _ in reached.stream { break }
      // Whatever has arrived by now.
      task.cancel()
      let error = await apiError { try await task.value }
      #expect(error?.code == .cancelled)
      let count = (try? folder.bytes("file.part").count) ?? 0
      let file = try await media.download(url: "/1", to: path)
      #expect(file.resumedFrom == count, "\(server.requests.map(\.headerLines))")
    }
    #expect(try folder.bytes("file") == bytes && folder.names == ["file"])
  }

  /// Bytes that no later download could use are not kept, and the error does not promise to continue.
  @Test(arguments: ["\"v1\"", "W/\"v1\"", nil]) func onlyBytesThatCanBeContinuedStay(_ etag: String?) async throws {
    let canContinue = etag == "\"v1\""
    let left = canContinue ? ["file.part", "file.part.json"] : []
    let writing = FullDisk.writing(roomFor: 50_000)
    try await withMedia(FileServer.script { _ in Behavior(file: bytes, etag: etag) }) { media, _ in
      let full = await apiError {
        var download = try FileDownload(MediaRequest(media, url: "/1"), to: path, writing: writing)
        return try await download.run()
      }
      #expect(full?.message.contains("it continues after 50000 bytes") == canContinue, "\(full?.message ?? "no error")")
      #expect(full?.message.contains("make room and download again") == true && folder.names == left)
    }
    let reached = AsyncStream<Void>.makeStream()
    let script: RawServer.Script = { [bytes, folder] connection in
      guard try connection.readRequest() != nil else { return }
      let tag = etag.map { "ETag: \($0)\r\n" } ?? ""
      try connection.write("HTTP/1.1 200 OK\r\n\(tag)Content-Length: \(bytes.count)\r\n\r\n")
      try connection.write(Array(bytes[..<1000]))
      for _ in 0..<10_000 where (try? folder.bytes("file.part").count) != 1000 { usleep(1000) }
      reached.continuation.yield()
      connection.hang()
    }
    try await withMedia(script) { media, _ in
      let task = Task { try await media.download(url: "/other", to: path) }
      for await _ in reached.stream { break }
      task.cancel()
      let error = await apiError { try await task.value }
      #expect(error?.code == .cancelled && folder.names == left)
    }
  }

  /// The bytes of an earlier download are used only for the same URL, with a record, and if the server agrees.
  @Test func whatIsLeftIsUsedOnlyIfItFits() async throws {
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, server in
      let origin = try HTTPURL(parsing: server.url(""))
      let owner = PartOwner(try await media.client.identity())
      func record(_ url: String, _ etag: String?) throws {
        let head = MediaHead(contentType: "a/b", etag: etag, validator: etag.map { .etag($0) }, total: bytes.count)
        _ = try folder.write(
          PartRecord(url: origin.appending(url), owner: owner, head: head).json, to: "file.part.json")
      }
      for (left, url, etag, reason) in [
        (50_000, "/1?k=1", "\"v1\"", nil), (200_000, "/1?k=1", "\"v1\"", nil),
        (50_000, "/1?k=2", "\"v1\"", .differentURL), (50_000, "/1?k=1", "\"v0\"", .fileChanged),
        (250_000, "/1?k=1", "\"v1\"", .fileChanged), (50_000, "/1?k=1", nil, .noValidator),
      ] as [(Int, String, String?, DownloadRestart.Reason?)] {
        _ = try folder.write(left > bytes.count ? bytes + bytes[..<50_000] : Array(bytes[..<left]), to: "file.part")
        try record(url, etag)
        let seen = Locked<DownloadRestart?>(nil)
        let file = try await media.download(url: "/1?k=1", to: path) { progress in
          seen.withLock { $0 = progress.restart }
        }
        #expect(file.resumedFrom == (reason == nil ? left : 0), "\(left) \(url) \(etag ?? "")")
        #expect(file.restart == reason.map { DownloadRestart(reason: $0, byteCount: left) }, "\(left) \(url)")
        #expect(seen.withLock { $0 } == file.restart, "reported with the progress")
        #expect(file.byteCount == bytes.count)
        #expect(try folder.bytes("file") == bytes && folder.names == ["file"])
      }
    }
  }

  /// A download that was killed while writing its record has left the record's temporary file.
  @Test(arguments: [0, 50_000]) func aRecordThatWasNeverPublishedIsRemoved(left: Int) async throws {
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, server in
      let url = try HTTPURL(parsing: server.url("/1"))
      let head = MediaHead(etag: "\"v1\"", validator: .etag("\"v1\""), total: bytes.count)
      _ = try folder.write(Array(bytes[..<left]), to: "file.part")
      let owner = PartOwner(try await media.client.identity())
      if left > 0 { _ = try folder.write(PartRecord(url: url, owner: owner, head: head).json, to: "file.part.json") }
      for name in ["file.part.json.tmp-1abc", "file.part.json.tmp-2", "other.part.json.tmp-1abc", "file.part.json.tmp"]
      {
        _ = try folder.write([1], to: name)
      }
      let file = try await media.download(url: "/1", to: path)
      #expect(file.resumedFrom == left)
      #expect(folder.names == ["file", "file.part.json.tmp", "other.part.json.tmp-1abc"])
    }
  }

  /// A mistyped URL does not discard the bytes of another one.
  @Test func aDownloadThatNeverBeginsKeepsWhatIsLeft() async throws {
    let script = FileServer.script { number in
      number == 0
        ? Behavior(file: bytes, resetsAfter: 70_000)
        : Behavior(file: bytes, status: number == 1 ? "404 Not Found" : nil)
    }
    try await withMedia(script, resilience: .none) { media, _ in
      let lost = await apiError { try await media.download(url: "/1", to: path) }
      #expect(lost?.code == .networkError)
      let count = try folder.bytes("file.part").count
      let error = await apiError { try await media.download(url: "/2", to: path) }
      #expect(error?.code == .notFound)
      #expect(try folder.bytes("file.part").count == count && count > 0)
      let file = try await media.download(url: "/1", to: path)
      #expect(file.resumedFrom == count && file.restart == nil)
    }
    #expect(try folder.bytes("file") == bytes && folder.names == ["file"])
  }

  /// A download that begins as soon as another one's file is in place keeps its own record.
  @Test func theRecordOfAnotherDownloadStays() throws {
    let record = PartRecord(url: try HTTPURL(parsing: "http://127.0.0.1/1"), head: MediaHead(etag: "\"v1\""))
    let first = try PartFile(for: path)
    try first.begin(record)
    try first.write(Array("first".utf8))
    try FileManager.default.moveItem(atPath: "\(path).part", toPath: path)
    for bytes in [[], Array("second".utf8)] {
      let second = try PartFile(for: path)
      try second.begin(record)
      try second.write(bytes)
      PartFile.removeRecord(for: path)
      #expect(folder.names == ["file", "file.part", "file.part.json"])
      second.discard()
    }
    // An interrupted download keeps it, too.
    func interrupt() throws {
      let second = try PartFile(for: path)
      try second.begin(record)
      try second.write(Array("second".utf8))
    }
    try interrupt()
    PartFile.removeRecord(for: path)
    #expect(try PartFile(for: path).record() == record)
  }

  /// Downloads to one path, one as soon as another ends: each succeeds or is refused, and nothing is left behind.
  @Test func downloadsFollowEachOther() async throws {
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, _ in
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<4 {
          group.addTask {
            var count = 0
            for _ in 0..<25 {
              do {
                try await media.download(url: "/1", to: path)
                count += 1
              } catch {
                let message = (error as? APIError)?.message ?? "\(error)"
                #expect(message.contains("writes it") || message.contains("write it"), "\(message)")
              }
            }
            return count
          }
        }
        #expect(await group.reduce(0, +) > 0)
      }
    }
    #expect(try folder.bytes("file") == bytes && folder.names == ["file"])
  }

  /// The `file.part` of a browser or a person is not overwritten.
  @Test(arguments: [nil, "", "no JSON", "{}"]) func bytesOfSomebodyElseStay(record: String?) async throws {
    _ = try folder.write("not ours", to: "file.part")
    if let record { _ = try folder.write(record, to: "file.part.json") }
    let names = folder.names
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, server in
      let error = await apiError { try await media.download(url: "/1", to: path) }
      #expect(error?.code == .failedPrecondition && error?.rpc == "media.DownloadBytes", "\(error as Any)")
      #expect(
        error?.message.contains("file.part\": it was not left by a download; remove it") == true, "\(error as Any)")
      #expect(server.requests.isEmpty)
      #expect(try folder.names == names && folder.bytes("file.part") == Array("not ours".utf8))
      try FileManager.default.removeItem(atPath: "\(path).part")
      if let record {
        // Neither is the other file.
        let error = await apiError { try await media.download(url: "/1", to: path) }
        #expect(error?.message.contains("file.part.json\": it was not left by a download") == true, "\(error as Any)")
        #expect(try folder.names == ["file.part.json"] && folder.bytes("file.part.json") == Array(record.utf8))
        try FileManager.default.removeItem(atPath: "\(path).part.json")
      }
      let file = try await media.download(url: "/1", to: path)
      #expect(file.resumedFrom == 0)
    }
    #expect(try folder.names == ["file"] && folder.bytes("file") == bytes)
  }

  /// A program that ended after it created the file and before its record lost nothing.
  @Test func anEmptyPartIsUsed() async throws {
    _ = try folder.write("", to: "file.part")
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, _ in
      try await media.download(url: "/1", to: path)
    }
    #expect(try folder.names == ["file"] && folder.bytes("file") == bytes)
  }

  /// The same for a program that ended after the file was in place and before the record was removed.
  @Test func aRecordWithoutBytesIsReplaced() async throws {
    let record = PartRecord(url: try HTTPURL(parsing: "http://127.0.0.1/1"), head: MediaHead(etag: "\"v0\""))
    _ = try folder.write(record.json, to: "file.part.json")
    try await withMedia(FileServer.script { _ in Behavior(file: bytes) }) { media, _ in
      let file = try await media.download(url: "/1", to: path)
      #expect(file.restart == nil && file.resumedFrom == 0)
    }
    #expect(try folder.names == ["file"] && folder.bytes("file") == bytes)
  }

  @Test func digestsAreChecked() async throws {
    let file = bytes
    let wrong = someBytes(10)
    let (repr, falseRepr) = (try digest("Repr-Digest", of: file), try digest("Repr-Digest", of: wrong))
    let (content, falseContent) = (try digest("Content-Digest", of: file), try digest("Content-Digest", of: wrong))
    // The path is long enough for everything, even if the file comes in two parts.
    for place in [nil, 1000] {
      let script = FileServer.script { number in
        number == 0
          ? Behavior(file: file, headers: [repr, content], resetsAfter: place) : Behavior(file: file, headers: [repr])
      }
      try await withMedia(script) { media, _ in
        let count = try await media.download(url: "/1", to: path).byteCount
        #expect(count == file.count)
      }
      #expect(try folder.bytes("file") == file)
    }
    // Damaged on the way once: the server's digest reveals it, and the bytes are read again.
    let damaging = FileServer.script { number in
      var behavior = Behavior(file: file, headers: [content], hasRanges: false)
      if number == 0 { behavior.changesBody = { $0.map { byte in byte ^ 1 } } }
      return behavior
    }
    try await withMedia(damaging) { media, server in
      let count = try await media.download(url: "/1", to: path).byteCount
      #expect(count == file.count)
      #expect(server.requests.count == 2)
    }
    #expect(try folder.bytes("file") == file)
    // Damaged every time.
    for header in [falseContent, falseRepr] {
      try await withMedia(FileServer.script { _ in Behavior(file: file, headers: [header]) }) { media, server in
        let error = await apiError { try await media.download(url: "/1", to: path) }
        #expect(error?.message.contains("digest") == true, "\(error?.description ?? "no error")")
        #expect(server.requests.count == (header == falseContent ? 3 : 1))
      }
      #expect(try folder.bytes("file") == file, "the file from before is still there")
      #expect(folder.names == ["file"], "and nothing of the damaged one")
    }
  }

  @Test func secretsOfAURLAreInNoFile() async throws {
    try await withMedia(FileServer.script { _ in Behavior(file: bytes, resetsAfter: 1000) }, resilience: .none) {
      media, _ in
      let error = await apiError { try await media.download(url: "/1?signature=\(Canary.secret)", to: path) }
      #expect(error?.code == .networkError)
      let record = try String(decoding: folder.bytes("file.part.json"), as: UTF8.self)
      #expect(record.contains("/1#") && record.contains("v1"), "\(record)")
      Canary.capture(record)
      #expect(Canary.leaks(in: record).isEmpty)
    }
  }
}
