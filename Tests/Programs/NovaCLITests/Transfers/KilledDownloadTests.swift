import Foundation
import NovaCore
import NovaCrypto
import NovaTestSupport
import NovaTesting
import Testing

#if os(Linux)
  /// A download whose program is killed at any point is completed by the same command: the file is right, nothing that is
  /// on disk is sent again, and nothing else is left.
  @Suite(.hangLimit) struct KilledDownloadTests {
    /// Where the program is killed.
    enum Moment: CaseIterable, Sendable {
      case beforeTheHead, afterTheHead, afterTheFirstBytes, beforeTheLastByte, afterTheLastByte
    }

    private static let content: [UInt8] = {
      var generator = SeededGenerator(seed: 11)
      return (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }()

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: Moment.allCases) func aKilledDownloadIsContinued(_ moment: Moment) async throws {
      let victim = Locked<Int32?>(nil)
      let part = "\(folder.path)/walk.mp4.part"
      let isFirst = Locked(true)
      let server = try RawServer { connection in
        guard let request = try connection.readRequest() else { return }
        let isVictim = isFirst.withLock { isFirst in
          defer { isFirst = false }
          return isFirst
        }
        guard isVictim else { return try Self.serve(request, on: connection) }
        try Self.begin(moment, part, on: connection)
        KilledProcess.end(with: SIGKILL) { victim.withLock { $0 } }
      }
      defer { server.stop() }

      let killed = try download(server)
      victim.withLock { $0 = killed.processIdentifier }
      let result = try await killed.result()
      #expect(result.status == 137 && result.output.isEmpty, "\(result)")
      #expect(!folder.names.contains("walk.mp4"), "\(folder.names)")

      let count = (try? folder.bytes("walk.mp4.part").count) ?? 0
      let resumed = try await download(server).result()
      #expect(resumed.status == 0, "\(resumed)")
      #expect(try SHA256.digest(of: folder.bytes("walk.mp4")) == SHA256.digest(of: Self.content))
      #expect(server.requests.last?.header("Range") == (count == 0 ? nil : "bytes=\(count)-"), "\(folder.names)")
      #expect(folder.names == ["walk.mp4"])
    }

    /// Sends what the program gets before it is killed, and returns when that is on disk.
    private static func begin(_ moment: Moment, _ part: String, on connection: RawConnection) throws {
      let count =
        switch moment {
        case .beforeTheHead, .afterTheHead: 0
        case .afterTheFirstBytes: 100_000
        case .beforeTheLastByte: content.count - 1
        case .afterTheLastByte: content.count
        }
      guard moment != .beforeTheHead else { return }
      // In chunks: not even after the last byte is it known that it was the last.
      try connection.write("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n")
      if count > 0 {
        try connection.write("\(String(count, radix: 16))\r\n")
        try connection.write(Array(content[..<count]))
        try connection.write("\r\n")
      }
      for _ in 0..<10_000 {
        if let size = try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int, size == count { return }
        usleep(1000)
      }
      Issue.record("the bytes do not arrive on the disk")
    }

    private static func serve(_ request: RawRequest, on connection: RawConnection) throws {
      let headers = ["ETag: \"v1\"", "Connection: close"]
      guard let range = request.header("Range"), let start = Int(range.dropFirst(6).dropLast()) else {
        return try connection.respond(headers: headers, body: content)
      }
      guard start < content.count else {
        return try connection.respond(
          "416 Range Not Satisfiable", headers: headers + ["Content-Range: bytes */\(content.count)"])
      }
      let place = "Content-Range: bytes \(start)-\(content.count - 1)/\(content.count)"
      try connection.respond("206 Partial Content", headers: headers + [place], body: Array(content[start...]))
    }

    private func download(_ server: RawServer) throws -> ProgramRun {
      try ProgramRun(
        ["download", server.url("/walk.mp4"), "-q"], environment: ["HOME": folder.path],
        directory: URL(filePath: folder.path))
    }
  }
#endif
