import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

#if os(Linux)
  /// What an interrupted download promises is what the same command does.
  @Suite(.hangLimit) struct InterruptedDownloadTests {
    private static let content = someContent(100_000)
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func someContent(_ count: Int) -> [UInt8] {
      var generator = SeededGenerator(seed: 5)
      return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// A gateway with one upload, whose URL it signs anew each time. The first download is interrupted after 40,000 bytes.
    private func gateway(_ etag: String?, _ victim: Locked<Int32?>) throws -> RawServer {
      let part = "\(folder.path)/walk.mp4.part"
      let (signatures, isFirst) = (Locked(0), Locked(true))
      return try RawServer { connection in
        while let request = try connection.readRequest() {
          guard request.requestLine.contains("/walk.mp4?sig=") else {
            let number = signatures.withLock { number in
              number += 1
              return number
            }
            let upload =
              #"{"found":true,"upload":{"id":"upload-1","status":"completed","file_name":"walk.mp4","url":"/files/walk.mp4?sig=\#(number)"}}"#
            try connection.respond(headers: ["Content-Type: application/json"], body: Array(upload.utf8))
            continue
          }
          let headers = etag.map { ["ETag: \($0)"] } ?? []
          let isVictim = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
          }
          if isVictim {
            let head = ["HTTP/1.1 200 OK", "Content-Length: \(Self.content.count)"] + headers
            try connection.write(head.joined(separator: "\r\n") + "\r\n\r\n")
            try connection.write(Array(Self.content[..<40_000]))
            for _ in 0..<10_000 where System.fileSize(part) != 40_000 { usleep(1000) }
            return KilledProcess.end(with: SIGINT) { victim.withLock { $0 } }
          }
          guard let start = request.header("Range").flatMap({ Int($0.dropFirst(6).dropLast()) }) else {
            try connection.respond(headers: headers, body: Self.content)
            continue
          }
          let range = "Content-Range: bytes \(start)-\(Self.content.count - 1)/\(Self.content.count)"
          try connection.respond("206 Partial Content", headers: headers + [range], body: Array(Self.content[start...]))
        }
      }
    }

    @Test(arguments: ["\"v1\"", "W/\"v1\"", nil]) func theMessageIsTrue(_ etag: String?) async throws {
      let victim = Locked<Int32?>(nil)
      let server = try gateway(etag, victim)
      defer { server.stop() }
      func download() throws -> ProgramRun {
        try ProgramRun(
          ["download", "upload-1", "--base-url", server.url("")],
          environment: ["HOME": folder.path], directory: URL(filePath: folder.path))
      }
      let run = try download()
      victim.withLock { $0 = run.processIdentifier }
      let interrupted = try await run.result()
      #expect(interrupted.status == 130 && interrupted.output.isEmpty, "\(interrupted)")
      #expect(interrupted.errors.contains("nova: interrupted: walk.mp4 at "), "\(interrupted)")
      let continues = etag == "\"v1\""
      let promise = continues ? "Continue with the same command." : "The same command starts over: nothing was kept."
      #expect(interrupted.errors.contains(promise), "\(interrupted)")
      #expect(
        folder.names.filter { $0.hasPrefix("walk") } == (continues ? ["walk.mp4.part", "walk.mp4.part.json"] : []))
      let again = try await download().result()
      let resumed = continues ? ", resumed at 40.0 kB" : ""
      #expect(again.status == 0 && again.errors.hasSuffix("downloaded walk.mp4: 100.0 kB\(resumed)\n"), "\(again)")
      #expect(server.requests.last?.header("Range") == (continues ? "bytes=40000-" : nil))
      #expect(try folder.bytes("walk.mp4") == Self.content)
    }
  }
#endif
