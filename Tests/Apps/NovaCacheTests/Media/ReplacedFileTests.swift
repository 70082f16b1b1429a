import NovaCache
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// Responses that replace a stored file, and responses that count as failures.
@Suite(.hangLimit) struct ReplacedFileTests {
  private static let file = [UInt8](repeating: 7, count: 3000)

  struct Answer: Sendable {
    var status = 200
    var headers: HTTPHeaders = [:]
    var body: [UInt8] = []
    /// Whether it replaces the stored file.
    var isNext = false
  }

  private static let html: HTTPHeaders = ["Content-Type": "text/html; charset=utf-8"]
  private static let page = Array("<html>sign in</html>".utf8)

  static let answers = [
    Answer(headers: html, body: page), Answer(headers: ["Content-Type": "text/html", "ETag": "\"9\""], body: page),
    Answer(headers: ["Content-Type": "application/json"], body: Array("{}".utf8)),
    Answer(headers: ["Content-Type": "application/xml"], body: Array("<Error/>".utf8)),
    Answer(headers: ["Content-Type": "text/plain"], body: Array("upstream error".utf8)),
    Answer(), Answer(headers: ["Content-Type": "image/png"]), Answer(headers: ["ETag": "W/\"2\""]),
    Answer(headers: ["Content-Type": "image/png", "ETag": "\"1\""], body: Array(file[..<1000])),
    Answer(headers: ["Content-Type": "image/png", "ETag": "\"1\""], body: file + file),
    Answer(headers: ["ETag": "\"1\""]),
    Answer(headers: ["Content-Range": "bytes 0-99/3000"], body: Array(file[..<100])), Answer(status: 206, body: [1]),
    Answer(status: 202, body: file), Answer(status: 204),
    Answer(headers: ["Content-Type": "image/png", "Content-Length": "3000"], body: [1, 2]),
    Answer(headers: ["Content-Encoding": "gzip"], body: [1, 2]), Answer(status: 500), Answer(status: 502),
    Answer(status: 503), Answer(status: 504),
    // Later versions.
    Answer(headers: ["Content-Type": "image/png", "ETag": "\"2\""], body: [1, 2], isNext: true),
    Answer(headers: ["Content-Type": "image/webp"], body: [1, 2], isNext: true),
    Answer(headers: ["ETag": "W/\"1\""], body: [1, 2], isNext: true), Answer(body: [1, 2], isNext: true),
    Answer(headers: ["ETag": "\"2\""], isNext: true),
    Answer(headers: ["Content-Type": "application/octet-stream"], body: [1, 2], isNext: true),
  ]

  private func cache(
    _ first: HTTPHeaders, _ clock: ManualClock, in folder: TemporaryFolder, then answer: Answer
  ) throws -> MediaCache {
    let server = RecordingTransport { number, _ in
      if number == 0 { return HTTPResponse(status: 200, headers: first, body: Self.file) }
      return HTTPResponse(status: answer.status, headers: answer.headers, body: answer.body)
    }
    return MediaCache(
      client: try .test(server, clock: clock), cache: HTTPCache(.init(directory: folder.path), clock: clock))
  }

  private static func stored(_ control: String = "max-age=0") -> HTTPHeaders {
    ["Content-Type": "image/png", "ETag": "\"1\"", "Cache-Control": control]
  }

  @Test(arguments: 0..<answers.count, ["/1.png", "https://cdn.example/1.png"])
  func onlyALaterVersionReplacesAFile(_ number: Int, _ url: String) async throws {
    let (answer, clock, folder) = (Self.answers[number], ManualClock(), try TemporaryFolder())
    let media = try cache(Self.stored(), clock, in: folder, then: answer)
    #expect(try await media.image(url).bytes == Self.file)
    for _ in 0..<2 {
      clock.advance(by: .seconds(5))
      let image = try await media.image(url)
      #expect(image.bytes == (answer.isNext ? answer.body : Self.file), "\(answer)")
      #expect(image.replacesFailure == !answer.isNext, "\(answer)")
    }
  }

  /// A response that must not be used when stale is not returned, but kept.
  @Test(arguments: ["no-cache", "max-age=0, must-revalidate", "max-age=0, stale-if-error=2"], [0, 4, 8, 17])
  func aForbiddenFileStays(_ control: String, _ number: Int) async throws {
    let (answer, clock, folder) = (Self.answers[number], ManualClock(), try TemporaryFolder())
    let media = try cache(Self.stored(control), clock, in: folder, then: answer)
    _ = try await media.image("/1.png")
    clock.advance(by: .seconds(5))
    let error = await apiError { try await media.image("/1.png") }
    #expect(error?.code == (answer.status == 200 ? .invalidResponse : .serverError), "\(answer) \(error as Any)")
    #expect(await media.usage().entries == 1)
  }

  @Test func theServerLimitsTheTimeOfAFailure() async throws {
    let (clock, folder) = (ManualClock(), try TemporaryFolder())
    let media = try cache(
      Self.stored("max-age=0, stale-if-error=60"), clock, in: folder, then: Answer(headers: Self.html, body: Self.page))
    _ = try await media.image("/1.png")
    clock.advance(by: .seconds(5))
    #expect(try await media.image("/1.png").replacesFailure)
  }

  /// A page is accepted if the file is a page; a refusal is a failure.
  @Test func aPageCanBeTheFile() async throws {
    let (clock, folder) = (ManualClock(), try TemporaryFolder())
    let page = Answer(headers: Self.html, body: Self.page, isNext: true)
    let known = try cache(
      ["Content-Type": "text/html", "Cache-Control": "max-age=0", "ETag": "\"1\""], clock, in: folder, then: page)
    for body in [Self.file, Self.page] {
      #expect(try await known.image("/1.html").bytes == body)
      clock.advance(by: .seconds(5))
    }
    let server = RecordingTransport { _, _ in HTTPResponse(status: 200, headers: Self.html, body: Self.page) }
    let new = MediaCache(client: try .test(server, clock: clock), cache: HTTPCache(clock: clock))
    #expect(try await new.image("/1.html").bytes == Self.page)
  }

  @Test(arguments: [403, 404, 410]) func aRefusalIsOne(_ status: Int) async throws {
    let (clock, folder) = (ManualClock(), try TemporaryFolder())
    let media = try cache(Self.stored(), clock, in: folder, then: Answer(status: status))
    _ = try await media.image("/1.png")
    clock.advance(by: .seconds(5))
    #expect(await apiError { try await media.image("/1.png") }?.httpStatus == status)
    #expect(await media.usage().entries == 0)
  }
}
