import Foundation
import NovaCore
import NovaTestSupport
import Testing

/// The files of `nova serve`: what remains of them after any end of the process.
@Suite struct ServeMediaTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "serve-media-\(UUID().uuidString)")
  private let file = (0..<(3 << 20)).map { UInt8(truncatingIfNeeded: $0 / 251 &* 7) }
  private let chunkSize = 1 << 20

  private func inFolder(_ body: () async throws -> Void) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body()
  }

  /// A server whose temporary files are in the folder.
  private struct Server {
    let run: ProgramRun
    let port: UInt16

    init(_ arguments: [String], in folder: URL) async throws {
      run = try ProgramRun(["serve", "--port", "0"] + arguments, environment: ["TMPDIR": folder.path])
      let line = try await run.waitForOutput("\n")
      let url = try #require(line.split(separator: " ").first { $0.hasPrefix("http://") })
      port = try #require(UInt16(url.split(separator: ":").last ?? ""))
    }

    func post(_ path: String, _ body: String) async -> String {
      let head = "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      return await exchange(Array("\(head)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8), port: port)
    }

    func start(_ size: Int) async -> String {
      await post("/api/v1/media/upload/start", #"{"user_id":"u","file_name":"a.mp4","file_size":\#(size)}"#)
    }

    func size() async -> Int? {
      let answer = await post("/api/v1/media/upload", #"{"upload_id":"upload-1"}"#)
      return answer.firstMatch(of: /"uploaded_size":"?([0-9]+)/).flatMap { Int($0.1) }
    }

    func end(_ signal: Int32) async throws {
      run.signal(signal)
      _ = try await run.result()
    }
  }

  private func put(_ range: Range<Int>, of count: Int) -> [UInt8] {
    let head =
      "PUT /api/v1/media/upload/upload-1/bytes HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(range.count)\r\n"
      + "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)\r\n\r\n"
    return Array(head.utf8) + file[range]
  }

  @Test func anUploadSurvivesKills() async throws {
    try await inFolder {
      let state = folder.appending(path: "state").path
      do {
        let server = try await Server(["--state", state], in: folder)
        #expect(await server.start(file.count).hasPrefix("HTTP/1.1 200 "))
        #expect(await exchange(put(0..<chunkSize, of: file.count), port: server.port).hasPrefix("HTTP/1.1 200 "))
        // A part of a chunk is on the disk, the rest never comes.
        let client = try HostileClient(port: server.port)
        try client.send(Array(put(chunkSize..<2 * chunkSize, of: file.count).dropLast(chunkSize / 4)))
        try await waitForFile("\(state).media/1", toExceed: chunkSize)
        try await server.end(SIGKILL)
      }
      do {
        let server = try await Server(["--state", state], in: folder)
        #expect(await server.size() == chunkSize && server.run.errors.isEmpty, "\(server.run.errors)")
        // A whole chunk, of which nobody knows how far it comes.
        let client = try HostileClient(port: server.port)
        try client.send(put(chunkSize..<2 * chunkSize, of: file.count))
        try await server.end(SIGKILL)
      }
      let server = try await Server(["--state", state], in: folder)
      let size = try #require(await server.size())
      #expect(size == chunkSize || size == 2 * chunkSize, "\(size)")
      #expect(server.run.errors.isEmpty, "\(server.run.errors)")
      let last = await exchange(put(size..<file.count, of: file.count), port: server.port)
      #expect(last.hasPrefix("HTTP/1.1 200 "), "\(last)")
      let wrong = String(repeating: "0", count: 64)
      let refused = await server.post("/api/v1/media/upload/complete", complete(wrong))
      #expect(!refused.hasPrefix("HTTP/1.1 200 "), "\(refused)")
      let completed = await server.post("/api/v1/media/upload/complete", complete(Self.digest))
      #expect(completed.hasPrefix("HTTP/1.1 200 "), "\(completed)")
    }
  }

  /// The SHA-256 of the file.
  private static let digest = "58b581ffaacddcac5d9df3363658bd2ea1f0560812a7f5d315a24b007be690f1"

  private func complete(_ digest: String) -> String { #"{"upload_id":"upload-1","sha256":"\#(digest)"}"# }

  private func waitForFile(_ path: String, toExceed count: Int) async throws {
    for _ in 0..<3000 {
      if let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int, size > count { return }
      try await Task.sleep(for: .milliseconds(10))
    }
    Issue.record("\(path) did not become larger than \(count) bytes")
  }

  /// The folders of processes that run are locked; a process that is killed leaves one that is not.
  @Test func foldersOfKilledServersAreRemoved() async throws {
    try await inFolder {
      func running() async throws -> Server {
        let server = try await Server([], in: folder)
        #expect(await server.start(chunkSize).hasPrefix("HTTP/1.1 200 "))
        #expect(await exchange(put(0..<chunkSize, of: chunkSize), port: server.port).hasPrefix("HTTP/1.1 200 "))
        return server
      }
      let killed = try await running()
      let first = try folders()
      #expect(first.count == 1)
      let other = try await running()
      #expect(try folders().count == 2 && folders().isSuperset(of: first))
      try await killed.end(SIGKILL)
      #expect(try folders().isSuperset(of: first))
      let last = try await running()
      #expect(try folders().count == 2 && folders().isDisjoint(with: first))
      try await other.end(SIGTERM)
      try await last.end(SIGINT)
      #expect(try folders().isEmpty)
    }
  }

  private func folders() throws -> Set<String> {
    let parent = folder.appending(path: "nova-media-\(geteuid())").path
    return Set(try FileManager.default.contentsOfDirectory(atPath: parent))
  }

  @Test func theLimitOfUploadsIsAnOption() async throws {
    try await inFolder {
      let server = try await Server(["--media-limit", "1 KiB"], in: folder)
      #expect(await server.start(1025).hasPrefix("HTTP/1.1 400 "))
      #expect(await server.start(1024).hasPrefix("HTTP/1.1 200 "))
      #expect(await exchange(put(1024..<2048, of: 2048), port: server.port).hasPrefix("HTTP/1.1 4"))
    }
    let wrong = try await nova("serve", "--port", "0", "--media-limit", "1.5GiB")
    #expect(wrong.status == 64 && wrong.errors.contains("1.5GiB"), "\(wrong)")
  }
}
