import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// Uploads of files to the mock backend over faulty connections: each completes with the correct bytes, or fails with
/// one clear error and can be resumed.
@Suite(.hangLimit) struct ChunkFaultTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    /// How the first attempt ends; nil if it completes.
    var error: APIError.Code?
    let script: FaultyGateway.Script

    init(_ name: String, _ error: APIError.Code? = nil, script: @escaping FaultyGateway.Script) {
      (self.name, self.error, self.script) = (name, error, script)
    }

    /// A fault in some steps of a kind; in all steps from the first one on if `isForever`.
    init(
      _ name: String, _ fault: FaultyGateway.Fault, at step: FaultyGateway.Step, in numbers: [Int],
      isForever: Bool = false, ending error: APIError.Code? = nil
    ) {
      self.init(name, error) { at, number in
        at == step && (numbers.contains(number) || isForever && number >= numbers[0]) ? fault : nil
      }
    }

    var testDescription: String { name }
  }

  static let cases: [Case] = [
    Case("reset in a chunk", .resets(after: 5000), at: .bytes, in: [2, 5]),
    Case("always reset in a chunk", .resets(after: 5000), at: .bytes, in: [2], isForever: true, ending: .networkError),
    Case("503", .unavailable, at: .bytes, in: [1, 3, 4]),
    Case("always 503", .unavailable, at: .bytes, in: [3], isForever: true, ending: .unavailable),
    Case("slow", .isSlow, at: .bytes, in: [2, 4]),
    Case("a changed byte", .flipsByte, at: .bytes, in: [2, 4, 5]),
    Case("always a changed byte", .flipsByte, at: .bytes, in: [3], isForever: true, ending: .invalidArgument),
    Case("answer to a chunk lost", .losesAnswer, at: .bytes, in: [1, 3, 6]),
    Case("all answers to chunks lost", .losesAnswer, at: .bytes, in: [2], isForever: true, ending: .networkError),
    Case("chunk not taken, and no answer", .closes, at: .bytes, in: [2, 5]),
    Case("answer to the start lost", .losesAnswer, at: .start, in: [1], ending: .networkError),
    Case("start not done", .closes, at: .start, in: [1], ending: .networkError),
    Case("answer to the progress lost", .losesAnswer, at: .progress, in: [1], isForever: true),
    Case("progress not taken", .closes, at: .progress, in: [1], isForever: true),
    Case("answer to the completion lost", .losesAnswer, at: .complete, in: [1]),
    Case("completion not done", .closes, at: .complete, in: [1]),
    Case(
      "all answers to the completion lost", .losesAnswer, at: .complete, in: [1], isForever: true, ending: .networkError
    ),
    Case("completion never done", .closes, at: .complete, in: [1], isForever: true, ending: .networkError),
  ]

  private static let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }

  @Test(arguments: cases) func everyByteArrivesNowOrLater(fault: Case) async throws {
    let (gateway, folder) = (FaultyGateway(fault.script), try TemporaryFolder())
    let path = try folder.write(Self.bytes, to: "walk.bin")
    try await withTransport(to: { try gateway.serve($0) }) { transport, server in
      let client = try APIClient.test(
        transport, baseURL: server.url(""), overrides: ConfigurationOverrides(stateDirectory: folder.path), token: nil,
        resilience: Resilience(retry: .standard(attempts: 3, delay: .milliseconds(1)), budget: nil, breaker: nil),
        clock: ContinuousClock())
      let media = MediaService(client: client)
      let upload = media.upload(.file(path), userId: "u")
      let error = await apiError { try await upload.value }
      #expect(error?.code == fault.error, "\(error as Any)")
      let pending = try await media.pendingUploads()
      #expect(pending.dropped.isEmpty && pending.uploads.map(\.id) == (error == nil ? [] : [upload.id]))
      guard error != nil else { return try await check(gateway, try await upload.value) }
      gateway.heal()
      let before = gateway.sentBytes
      let record = try await media.resumeUpload(try #require(pending.uploads.first)).value
      try await check(gateway, record)
      #expect(gateway.sentBytes - before <= Self.bytes.count - pending.uploads[0].uploadedBytes)
      #expect(try await media.pendingUploads() == PendingUploads(uploads: [], dropped: []))
    }
  }

  /// The backend has compared the SHA-256 digest of the whole; this compares the bytes.
  private func check(_ gateway: FaultyGateway, _ upload: Upload) async throws {
    #expect(upload.status == "completed")
    let stored = gateway.backend.respond(to: HTTPRequest(method: .get, url: "http://localhost:8080\(upload.url)"))
    #expect(try await stored.body.collect(upTo: 1 << 20) == Self.bytes)
  }
}

/// A mock backend that requests chunks of 16 KiB, over faulty connections.
final class FaultyGateway: Sendable {
  enum Step: Hashable, Sendable { case start, bytes, progress, complete, other }

  enum Fault: Sendable {
    /// Resets the connection in the middle of a body; the received part is stored.
    case resets(after: Int)
    /// Closes the connection without a response, and does nothing.
    case closes
    /// Closes the connection without a response, after everything is done.
    case losesAnswer
    case unavailable
    /// Reads and responds in small pieces.
    case isSlow
    case flipsByte
  }

  typealias Script = @Sendable (_ step: Step, _ number: Int) -> Fault?

  let backend = MockBackend(dataSet: .empty)
  private let script: Locked<Script>
  private let counts = Locked<[Step: Int]>([:])
  private let sent = Locked(0)

  init(_ script: @escaping Script) { self.script = Locked(script) }

  /// The bytes of all chunks that arrived, including useless ones.
  var sentBytes: Int { sent.withLock { $0 } }
  func heal() { script.withLock { $0 = { _, _ in nil } } }

  func serve(_ connection: RawConnection) throws {
    while let head = try connection.readHead() {
      let step = Self.step(of: head)
      let number = counts.withLock { counts in
        counts[step, default: 0] += 1
        return counts[step, default: 0]
      }
      guard try serve(head, at: step, with: script.withLock({ $0 })(step, number), on: connection) else { return }
    }
  }

  /// Returns whether the connection continues.
  private func serve(_ head: RawRequest, at step: Step, with fault: Fault?, on connection: RawConnection) throws -> Bool
  {
    let length = head.header("Content-Length").flatMap { Int($0) } ?? 0
    var isSlow = false
    if case .isSlow? = fault { isSlow = true }
    var wanted = length
    if case .resets(let count)? = fault { wanted = min(count, length) }
    var body = try Self.body(wanted, of: head, on: connection, in: isSlow ? 512 : max(wanted, 1))
    if step == .bytes { sent.withLock { $0 += body.count } }
    switch fault {
    case .resets:
      storePart(body, of: head)
      connection.reset()
      return false
    case .closes: return false
    case .losesAnswer:
      _ = try respond(to: head, step, body)
      return false
    case .unavailable:
      try connection.respond("503 Service Unavailable", headers: ["Retry-After: 0"])
      return true
    case .flipsByte: body[body.count / 2] ^= 1
    case .isSlow, nil: break
    }
    let response = try respond(to: head, step, body)
    let answer =
      "HTTP/1.1 \(response.status) Status\r\nContent-Type: application/json\r\n"
      + "Content-Length: \(response.body.inMemory.count)\r\n\r\n"
      + String(decoding: response.body.inMemory, as: UTF8.self)
    if isSlow {
      try connection.drip(Array(answer.utf8), every: .milliseconds(1))
    } else {
      try connection.write(answer)
    }
    return true
  }

  private static func body(
    _ count: Int, of head: RawRequest, on connection: RawConnection, in size: Int
  ) throws -> [UInt8] {
    var body: [UInt8] = []
    while body.count < count {
      var piece = head
      piece.headerLines = ["Content-Length: \(min(size, count - body.count))"]
      body += try connection.readBody(of: piece).body
    }
    return body
  }

  private func respond(to head: RawRequest, _ step: Step, _ body: [UInt8]) throws -> HTTPResponse {
    var response = backend.respond(to: try Self.request(head, body))
    if step == .start, response.status == 200 {
      var start = try StartUploadResponse(jsonUTF8: response.body.inMemory)
      start.chunkSize = 16 << 10
      response.body = .bytes(try start.jsonUTF8())
    }
    return response
  }

  /// A server that keeps the received part of a chunk.
  private func storePart(_ bytes: [UInt8], of head: RawRequest) {
    guard let range = head.header("Content-Range"), var part = try? Self.request(head, bytes) else { return }
    let numbers = range.split { !$0.isNumber }.compactMap { Int($0) }
    part.headers["Content-Range"] = "bytes \(numbers[0])-\(numbers[0] + bytes.count - 1)/\(numbers[2])"
    part.headers["Content-Digest"] = nil
    _ = backend.respond(to: part)
  }

  private static func request(_ head: RawRequest, _ body: [UInt8]) throws -> HTTPRequest {
    let parts = head.requestLine.split(separator: " ").map(String.init)
    var headers = HTTPHeaders()
    for name in ["Content-Range", "Content-Digest", "Content-Type", "Idempotency-Key"] {
      headers[name] = head.header(name)
    }
    return HTTPRequest(
      method: HTTPMethod(rawValue: parts[0]), url: try HTTPURL(parsing: "http://localhost\(parts[1])"),
      headers: headers, body: .bytes(body))
  }

  private static func step(of head: RawRequest) -> Step {
    if head.requestLine.hasPrefix("PUT ") { return .bytes }
    let path = head.requestLine.split(separator: " ")[1].split(separator: "?")[0]
    if path.hasSuffix("/upload/start") { return .start }
    if path.hasSuffix("/upload/progress") { return .progress }
    return path.hasSuffix("/upload/complete") ? .complete : .other
  }
}
