import Foundation
import NovaCore
import NovaCrypto
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

/// Bytes of uploads in the folder beside a state file.
@Suite struct StateMediaTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("media-\(UUID().uuidString)")
  private var path: String { folder.appendingPathComponent("state").path }
  private var media: URL { folder.appendingPathComponent("state.media") }
  private let file = (0..<3000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

  private func inFolder(_ body: () async throws -> Void) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body()
  }

  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: media.path)) ?? []).sorted()
  }

  /// A server's backend with its state; the file is released with it.
  private struct Opened {
    let backend: MockBackend
    let state: StateFile
    private let warned: Locked<[String]>

    var warnings: [String] { warned.withLock { $0 } }

    init(_ path: String, mediaLimit: Int64 = 4 << 30) throws {
      backend = MockBackend(dataSet: .empty, mediaLimit: mediaLimit, now: { 1_764_585_000 })
      (state, warned) = try StateFile.opening(path, of: backend)
    }

    func call(_ path: String, _ body: String) async throws -> JSONValue {
      let response = try await backend.answer(
        HTTPRequest(method: .post, url: HTTPURL(received: path), body: Array(body.utf8)))
      return try JSONValue(jsonUTF8: response.body.inMemory)
    }

    func start(_ size: Int) async throws {
      _ = try await call(
        "/api/v1/media/upload/start", #"{"user_id":"u","file_name":"a.mp4","file_size":\#(size)}"#)
    }

    func put(_ file: [UInt8], _ range: Range<Int>) async throws -> Int {
      let range = (range, "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.count)")
      return try await backend.answer(
        HTTPRequest(
          method: .put, url: "/api/v1/media/upload/upload-1/bytes", headers: ["Content-Range": range.1],
          body: Array(file[range.0]))
      ).status
    }

    func size() async throws -> Int? {
      try await call("/api/v1/media/upload", #"{"upload_id":"upload-1"}"#)["upload"]?["uploaded_size"]?.integerValue
    }

    func complete(_ file: [UInt8]) async throws -> String? {
      let digest = Hexadecimal.encode(try SHA256.digest(of: file))
      return try await call("/api/v1/media/upload/complete", #"{"upload_id":"upload-1","sha256":"\#(digest)"}"#)[
        "upload"]?["url"]?.stringValue
    }

    func bytes(_ url: String) async throws -> [UInt8]? {
      let response = try await backend.answer(HTTPRequest(method: .get, url: HTTPURL(received: url)))
      return response.status == 200 ? try await response.body.collect(upTo: 1 << 20) : nil
    }
  }

  @Test func uploadsContinueAfterARestart() async throws {
    try await inFolder {
      do {
        let opened = try Opened(path)
        try await opened.start(file.count)
        #expect(try await opened.put(file, 0..<1000) == 200)
        #expect(try await opened.put(file, 1000..<1500) == 200)
        let lines = try String(contentsOfFile: path, encoding: .utf8)
        #expect(lines.utf8.count < 1500 && lines.contains(#""offset":1000,"length":500"#), "\(lines)")
      }
      do {
        let opened = try Opened(path)
        #expect(try await opened.size() == 1500 && opened.warnings.isEmpty)
        #expect(try await opened.put(file, 1500..<3000) == 200)
        #expect(try await opened.complete(file) == "/media/upload-1/a.mp4")
      }
      let opened = try Opened(path)
      #expect(try await opened.bytes("/media/upload-1/a.mp4") == file && names == ["1"])
      let mode = try FileManager.default.attributesOfItem(atPath: media.path)[.posixPermissions] as? Int
      #expect(mode == 0o700)
      opened.backend.reset()
    }
  }

  /// The bytes were on the disk, but their line was not: nobody was told that they are stored.
  @Test func bytesWithoutALineAreRemoved() async throws {
    try await inFolder {
      do {
        let opened = try Opened(path)
        try await opened.start(file.count)
        #expect(try await opened.put(file, 0..<1000) == 200)
      }
      let stored = media.appendingPathComponent("1")
      try (Data(contentsOf: stored) + Data("half a chunk".utf8)).write(to: stored)
      try Data("a chunk".utf8).write(to: media.appendingPathComponent("2"))
      let opened = try Opened(path)
      #expect(opened.warnings.isEmpty && names == ["1"])
      #expect(try Data(contentsOf: stored) == Data(file.prefix(1000)))
      #expect(try await opened.put(file, 1000..<3000) == 200)
      #expect(try await opened.bytes(try await opened.complete(file) ?? "") == file)
    }
  }

  private enum Damage: CaseIterable { case missing, short, changed }

  @Test(arguments: Damage.allCases) private func damagedBytesAreReportedAndNotServed(_ damage: Damage) async throws {
    try await inFolder {
      do {
        let opened = try Opened(path)
        try await opened.start(file.count)
        #expect(try await opened.put(file, 0..<1000) == 200)
        #expect(try await opened.put(file, 1000..<3000) == 200)
        _ = try await opened.complete(file)
      }
      let stored = media.appendingPathComponent("1")
      var data = try Data(contentsOf: stored)
      switch damage {
      case .missing: try FileManager.default.removeItem(at: stored)
      case .short: try data.prefix(2000).write(to: stored)
      case .changed:
        data[2000] ^= 1
        try data.write(to: stored)
      }
      let kept = damage == .missing ? 0 : 1000
      do {
        let opened = try Opened(path)
        #expect(opened.warnings.count == 1 && opened.warnings[0].contains("the bytes of upload-1 are damaged"))
        #expect(try await opened.size() == kept)
        #expect(try await opened.bytes("/media/upload-1/a.mp4") == nil)
        #expect(names == (damage == .missing ? [] : ["1", "1.damaged-1"]))
        #expect(try await opened.put(file, kept..<3000) == 200)
        #expect(try await opened.bytes(try await opened.complete(file) ?? "") == file)
      }
      let opened = try Opened(path)
      #expect(opened.warnings.isEmpty, "\(opened.warnings)")
      #expect(try await opened.bytes("/media/upload-1/a.mp4") == file)
    }
  }

  /// A line that cannot be read may refer to any of the bytes, so they are kept beside it.
  @Test func aDamagedLineKeepsItsBytes() async throws {
    try await inFolder {
      do {
        let opened = try Opened(path)
        try await opened.start(file.count)
        #expect(try await opened.put(file, 0..<1000) == 200)
      }
      let lines = try String(contentsOfFile: path, encoding: .utf8)
      try lines.replacing(#""offset":0"#, with: #""offset":9"#).write(toFile: path, atomically: true, encoding: .utf8)
      let opened = try Opened(path)
      #expect(opened.warnings.count == 2 && names == ["1.damaged-1"], "\(opened.warnings) \(names)")
      #expect(try Data(contentsOf: media.appendingPathComponent("1.damaged-1")) == Data(file.prefix(1000)))
      #expect(try await opened.put(file, 0..<3000) == 200)
    }
  }

  @Test func aResetGivesBackTheSpace() async throws {
    try await inFolder {
      func reset(_ opened: Opened) async {
        _ = await AdminAPI(opened.backend).respond(
          to: HTTPRequest(method: .post, url: "/_nova/reset", headers: ["Content-Type": "application/json"]))
      }
      do {
        let opened = try Opened(path)
        try await opened.start(file.count)
        #expect(try await opened.put(file, 0..<3000) == 200)
      }
      // What was restored takes space, and so does each of the others; two at once do not fit.
      let opened = try Opened(path, mediaLimit: 5000)
      for _ in 0..<4 {
        await reset(opened)
        #expect(names == [])
        try await opened.start(file.count)
        #expect(try await opened.put(file, 0..<3000) == 200)
      }
    }
  }

  @Test func abortedChunksLeaveNoFiles() async throws {
    try await inFolder {
      let opened = try Opened(path)
      try await opened.start(file.count)
      for _ in 0..<3 {
        // The digest is wrong, so that nothing is stored.
        let response = try await opened.backend.answer(
          HTTPRequest(
            method: .put, url: "/api/v1/media/upload/upload-1/bytes",
            headers: [
              "Content-Range": "bytes 0-999/3000",
              "Content-Digest": "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:",
            ], body: Array(file[..<1000])))
        #expect(response.status == 422)
      }
      #expect(names == [])
    }
  }

  @Test func snapshotsKeepTheirBytes() async throws {
    try await inFolder {
      let other = file.map { $0 ^ 0xFF }
      let mixed = Array(file.prefix(1000)) + other.suffix(2000)
      do {
        let opened = try Opened(path)
        let admin = AdminAPI(opened.backend)
        func post(_ path: String) async -> Int {
          await admin.respond(
            to: HTTPRequest(
              method: .post, url: HTTPURL(received: path), headers: ["Content-Type": "application/json"],
              body: Array(#"{"name":"a"}"#.utf8))
          ).status
        }
        try await opened.start(file.count)
        #expect(try await opened.put(file, 0..<1000) == 200)
        #expect(await post("/_nova/snapshot") == 201)
        #expect(try await opened.put(file, 1000..<3000) == 200)
        #expect(await post("/_nova/restore") == 200)
        #expect(try await opened.put(mixed, 1000..<3000) == 200)
        _ = try await opened.complete(mixed)
      }
      let opened = try Opened(path)
      #expect(opened.warnings.isEmpty && names == ["1", "2"])
      #expect(try await opened.bytes("/media/upload-1/a.mp4") == mixed)
    }
  }

  @Test func aResetRemovesTheFiles() async throws {
    try await inFolder {
      let opened = try Opened(path)
      try await opened.start(file.count)
      #expect(try await opened.put(file, 0..<3000) == 200)
      _ = await AdminAPI(opened.backend).respond(
        to: HTTPRequest(method: .post, url: "/_nova/reset", headers: ["Content-Type": "application/json"]))
      #expect(names == [])
    }
  }

  /// State files used to contain the bytes.
  @Test func olderStateFilesAreRead() async throws {
    try await inFolder {
      func line(_ json: String) -> Data { Data(StateLine.make(Array(json.utf8))) }
      let time = #""t":1764585000"#
      func chunk(_ range: Range<Int>) -> Data {
        let bytes = String(decoding: Base64.encode(Array(file[range])), as: UTF8.self)
        let place = "bytes \(range.lowerBound)-\(range.upperBound - 1)/3000"
        return line(#"{\#(time),"upload":"upload-1","range":"\#(place)","bytes":"\#(bytes)"}"#)
      }
      var data = Data(StateLine.make(StateHead(seed: 1, dataSet: "empty").json))
      data += line(
        #"{\#(time),"rpc":"media.StartUpload","body":{"user_id":"u","file_name":"a.mp4","file_size":"3000"}}"#)
      data += chunk(0..<1000) + chunk(500..<600) + chunk(1000..<2000)
      try data.write(to: URL(fileURLWithPath: path))
      for round in 1...2 {
        let opened = try Opened(path)
        #expect(try await opened.size() == 1500 + 500 * round && opened.warnings.isEmpty, "\(opened.warnings)")
        let start = 1500 + 500 * round
        #expect(try await opened.put(file, start..<start + 500) == 200)
      }
      let opened = try Opened(path)
      #expect(try await opened.bytes(try await opened.complete(file) ?? "") == file)
    }
  }

  /// What another program has done to the bytes of an upload: after a gap, the next ones are not stored.
  @Test(arguments: [0, 999]) func bytesAreNotStoredBehindAGap(_ size: off_t) async throws {
    try await inFolder {
      let opened = try Opened(path)
      try await opened.start(file.count)
      #expect(try await opened.put(file, 0..<1000) == 200)
      let stored = media.appendingPathComponent("1").path
      #expect(truncate(stored, size) == 0)
      #expect(try await opened.put(file, 1000..<3000) == 500)
      #expect(try await opened.size() == 1000)
      try Data(file[..<1000]).write(to: URL(fileURLWithPath: stored))
      #expect(try await opened.put(file, 1000..<3000) == 200)
      #expect(try await opened.size() == 3000)
    }
  }

  /// Opening it would stop all connections of its event loop.
  @Test func aPipeInThePlaceOfAFileIsNotWaitedFor() async throws {
    try await inFolder {
      let opened = try Opened(path)
      let url = try opened.backend.store(Array("0123456789".utf8), name: "a.txt", type: "text/plain")
      #expect(names.count == 1)
      for name in names {
        let path = media.appendingPathComponent(name).path
        #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
      }
      try await withServer(opened.backend) { _, port in
        let answer = await exchange(request(url, verb: "GET", headers: "Connection: close\r\n"), port: port)
        #expect(answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
        #expect(await isAnswered(at: port))
      }
    }
  }
}
