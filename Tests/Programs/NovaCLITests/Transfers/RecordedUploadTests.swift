import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// `nova download <upload-id>` compares what arrives with what the gateway has just reported about the upload.
@Suite(.hangLimit) struct RecordedUploadTests {
  private static let content = [UInt8]((0..<30_000).map { UInt8(truncatingIfNeeded: $0 / 7) })

  /// What is reported, what arrives, and the exit code; with a word of the error or of the warning.
  struct Case: Sendable, CustomTestStringConvertible {
    var status = "completed"
    var size = 30_000
    var type = "video/mp4"
    var sent = Array(content)
    var sentType: String? = "video/mp4"
    var hasLength = true
    var exit: Int32
    var word = ""

    var testDescription: String {
      "\(status) \(size) \(type) → \(sent.count) \(sentType ?? "no type") \(hasLength ? "announced" : "not announced")"
    }
  }

  private static let part = Array(content[..<10_000])
  private static let error = Array(#"{"error":{"code":"NOT_FOUND"}}"#.utf8)
  private static let page = Array("<html>sign in</html>".utf8)

  static let cases = [
    Case(exit: 0), Case(hasLength: false, exit: 0), Case(sentType: nil, exit: 0),
    Case(sent: part, exit: 65, word: "10000 bytes of a file that has 30000"),
    Case(sent: part, hasLength: false, exit: 65, word: "10000 bytes of a file that has 30000"),
    Case(sent: part, sentType: nil, exit: 65, word: "30000"),
    Case(sent: part, sentType: "application/octet-stream", exit: 65, word: "30000"),
    Case(sent: [], exit: 65, word: "0 bytes of a file"), Case(sent: [], sentType: nil, hasLength: false, exit: 65),
    Case(sent: page, sentType: "text/html; charset=utf-8", exit: 65, word: "a web page in place of a file"),
    Case(sent: content + page, sentType: "text/html", hasLength: false, exit: 65, word: "a web page"),
    Case(type: "text/html", sentType: "text/html", exit: 0), Case(type: "", sentType: "text/html", exit: 0),
    // Converted by the server.
    Case(sent: content + page, exit: 0, word: "the file has 30020 bytes"),
    Case(sent: part, sentType: "video/webm", exit: 0, word: "the file has 10000 bytes"),
    Case(size: 0, sent: part, exit: 0), Case(size: -1, sent: part, exit: 0),
    Case(status: "uploading", exit: 1, word: "its status is uploading"),
    Case(status: "pending", exit: 1, word: "pending"),
    Case(status: "FAILED", exit: 1, word: "Upload the file again"),
    Case(status: "UPLOAD_STATUS_REJECTED", exit: 1, word: "Upload the file again"),
    Case(status: "IN_PROGRESS", exit: 1, word: "Try again when it is completed"),
    Case(status: "processing", exit: 0), Case(status: "UPLOAD_STATUS_COMPLETED", exit: 0),
    // What no converter makes of a video.
    Case(sent: error, sentType: "application/json", exit: 65, word: "application/json in place of a file"),
    Case(sent: error, sentType: "application/json", hasLength: false, exit: 65, word: "application/json in place"),
    Case(sent: error, sentType: "application/xml", exit: 65, word: "application/xml in place"),
    Case(sent: error, sentType: "text/plain; charset=utf-8", exit: 65, word: "text/plain"),
    Case(sent: part, sentType: "binary/octet-stream", exit: 65, word: "10000 bytes of a file that has 30000"),
    Case(sent: content + page, sentType: "binary/octet-stream", exit: 65, word: "30020 bytes"),
    // A wrong label of all bytes is harmless.
    Case(sentType: "text/plain", exit: 0), Case(sentType: "binary/octet-stream", exit: 0),
    Case(sent: part, sentType: "audio/mp4", exit: 0, word: "the file has 10000 bytes"),
    Case(status: "UPLOAD_STATUS_FAILED", exit: 1, word: "Upload the file again"),
    Case(status: "UPLOAD_STATUS_PENDING", exit: 1, word: "Try again when it is completed"),
    Case(status: "rejected", exit: 1), Case(status: "quarantined", exit: 1), Case(status: "infected", exit: 1),
    Case(status: "deleted", exit: 1), Case(status: "expired", exit: 1), Case(status: "partial", exit: 1),
    Case(status: "corrupt", exit: 1),
    // Words that the contract does not have.
    Case(status: "", exit: 0), Case(status: "ready", exit: 0),
  ]

  @Test(arguments: cases, [[String](), ["--cache"], ["-o", "-"]])
  func theRecordIsCompared(_ given: Case, options: [String]) async throws {
    let record: JSONValue = .members(
      ("found", .bool(true)),
      (
        "upload",
        .members(
          ("id", .string("up1")), ("user_id", .string("ada")), ("file_name", .string("a.mp4")),
          ("file_size", .number(String(given.size))), ("uploaded_size", .number(String(given.size))),
          ("status", .string(given.status)), ("content_type", .string(given.type)), ("url", .string("/media/a b.mp4"))
        )
      ))
    let server = try RawServer { connection in
      while let request = try connection.readRequest() {
        if request.requestLine.contains("/api/") {
          try connection.respond(headers: ["Content-Type: application/json"], body: record.jsonUTF8)
          continue
        }
        guard request.requestLine.contains("/media/a%20b.mp4") else { return try connection.respond("404 Not Found") }
        var head = "HTTP/1.1 200 OK\r\n"
        if let type = given.sentType { head += "Content-Type: \(type)\r\n" }
        if given.hasLength {
          head += "Content-Length: \(given.sent.count)\r\n"
        } else {
          head += "Connection: close\r\n"
        }
        try connection.write(Array("\(head)\r\n".utf8) + given.sent)
        if !given.hasLength { return }
      }
    }
    defer { server.stop() }
    let folder = try TemporaryFolder()
    let isOutput = options.contains("-")
    let result = try await ProgramRun(
      ["download", "up1", "-q", "--base-url", server.url("")] + (isOutput ? options : ["-o", "copy"] + options),
      environment: ["HOME": folder.path, "NOVA_TOKEN": "t"], directory: URL(filePath: folder.path)
    ).result()
    #expect(result.status == given.exit, "\(result.errors)")
    let text = result.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if !given.word.isEmpty { #expect(text.contains(given.word), "\(result.errors)") }
    if !isOutput { #expect(folder.names.contains("copy") == (given.exit == 0), "\(folder.names)") }
    if given.exit == 0, !isOutput { #expect(try folder.bytes("copy") == given.sent) }
  }

  /// A stored file in place of an unreachable server is said to be one.
  @Test(arguments: [false, true]) func aStoredFileIsNoDownload(json: Bool) async throws {
    let folder = try TemporaryFolder()
    let isDown = Locked(false)
    let server = try RawServer { connection in
      while try connection.readRequest() != nil {
        if isDown.withLock({ $0 }) { return }
        try connection.respond(headers: ["Cache-Control: max-age=0", "ETag: \"1\""], body: Self.content)
      }
    }
    defer { server.stop() }
    func run() async throws -> RunResult {
      try await ProgramRun(
        ["download", server.url("/a"), "-o", "copy", "--cache", "--force"] + (json ? ["--json"] : []),
        environment: ["HOME": folder.path], directory: URL(filePath: folder.path)
      ).result()
    }
    let first = try await run()
    isDown.withLock { $0 = true }
    let second = try await run()
    #expect(first.status == 0 && second.status == 0, "\(first) \(second)")
    #expect(!first.errors.contains("cache") && second.errors.contains("the server failed or could not be reached"))
    guard json else {
      #expect(second.errors.hasSuffix("downloaded copy: 30.0 kB, from the cache\n"), "\(second)")
      return
    }
    for (result, isStored) in [(first, false), (second, true)] {
      let value = try JSONValue(jsonUTF8: Array(result.output.utf8))
      #expect(value["from_cache"] == .bool(isStored) && value["replaces_failure"] == .bool(isStored), "\(result)")
      #expect(value["age_seconds"]?.integerValue.map { $0 >= 0 } == true, "\(result)")
    }
  }
}
