import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

@Suite(.hangLimit) struct FileDownloadTests {
  private typealias Behavior = FileServer.Behavior
  private let folder: TemporaryFolder
  private var path: String { folder.path + "/video.mp4" }

  init() throws { folder = try TemporaryFolder() }

  private func download(
    _ behaviors: [Behavior], resilience: Resilience = Resilience(), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (file: DownloadedFile?, error: APIError?, requests: [RawRequest]) {
    try await withMedia(FileServer.script { behaviors[min($0, behaviors.count - 1)] }, resilience: resilience) {
      media, server in
      do {
        let file = try await media.download(url: "/media/1", to: path)
        return (file, nil, server.requests)
      } catch let error as APIError {
        Canary.capture(error)
        return (nil, error, server.requests)
      }
    }
  }

  @Test(arguments: [0, 1, 1000, 3_000_000]) func aFileArrivesWhole(_ count: Int) async throws {
    let bytes = someBytes(count)
    let (file, error, requests) = try await download([Behavior(file: bytes)])
    #expect(error == nil)
    #expect(
      file == DownloadedFile(path: path, byteCount: count, contentType: "video/mp4", etag: "\"v1\"", resumedFrom: 0))
    #expect(try folder.bytes("video.mp4") == bytes && folder.names == ["video.mp4"])
    let request = try #require(requests.first)
    #expect(requests.count == 1 && request.requestLine == "GET /media/1 HTTP/1.1")
    #expect(request.header("Accept-Encoding") == "identity" && request.header("Range") == nil)
    #expect(request.header("Authorization") == "Bearer \(Canary.secret)" && request.header("X-Request-ID") != nil)
  }

  /// Wherever connections break, the file is correct, and no written byte is requested again.
  @Test(arguments: TestDepth.cases(1...30 as ClosedRange<UInt64>, sample: 8))
  func lostConnectionsAreContinued(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let bytes = someBytes(Int.random(in: 1...400_000, using: &generator), seed: seed)
    let breaks = (0..<20).map { _ in Int.random(in: 1...60_000, using: &generator) }
    let behaviors = breaks.map { Behavior(file: bytes, resetsAfter: $0) }
    let (file, error, requests) = try await download(behaviors + [Behavior(file: bytes)])
    #expect(error == nil, "seed \(seed)")
    #expect(file?.byteCount == bytes.count && file?.resumedFrom == 0)
    #expect(try folder.bytes("video.mp4") == bytes, "seed \(seed)")
    var last = 0
    for request in requests.dropFirst() {
      let range = try #require(request.header("Range").flatMap { Int($0.dropFirst(6).dropLast()) })
      #expect(range > last, "seed \(seed): every request begins after the previous one")
      #expect(request.header("If-Range") == "\"v1\"")
      last = range
    }
  }

  /// A server may send less than the rest, and may not know where the file ends.
  @Test func aPartOfUnknownSizeIsNotTheEnd() async throws {
    let bytes = someBytes(1000)
    let (file, error, requests) = try await download([
      Behavior(file: bytes, resetsAfter: 400, isChunked: true),
      Behavior(file: bytes, contentRange: "bytes 400-599/*", longestPart: 200), Behavior(file: bytes),
    ])
    #expect(error == nil && file?.byteCount == 1000, "\(error?.description ?? "no error")")
    #expect(try folder.bytes("video.mp4") == bytes)
    #expect(requests.map { $0.header("Range") } == [nil, "bytes=400-", "bytes=600-"])
  }

  /// RFC 9110, 15.3.7: a part that responds to `If-Range` should not repeat `Last-Modified`. But a server that does not
  /// support `If-Range` sends the same for another file, so the whole file is requested, which contains the time again.
  @Test func aPartThatDoesNotRepeatTheValidatorIsNotJoined() async throws {
    let bytes = someBytes(1000)
    let dated = ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 09:49:37 GMT"]
    let (file, error, requests) = try await download([
      Behavior(file: bytes, etag: nil, headers: dated, resetsAfter: 400),
      Behavior(file: someBytes(1000, seed: 2), etag: nil, headers: [], ignoresIfRange: true),
      Behavior(file: bytes, etag: nil, headers: dated),
    ])
    #expect(error == nil && file?.byteCount == 1000 && file?.restart == nil, "\(error?.description ?? "no error")")
    #expect(try folder.bytes("video.mp4") == bytes)
    #expect(requests.map { $0.header("Range") } == [nil, "bytes=400-", nil])
  }

  @Test func withoutProgressTheRetryPolicyCounts() async throws {
    let bytes = someBytes(1000)
    let silent = Behavior(file: bytes, resetsAfter: 0)
    let behaviors = [Behavior(file: bytes, resetsAfter: 400), silent, silent, Behavior(file: bytes)]
    try await withMedia(FileServer.script { behaviors[min($0, 3)] }) { media, server in
      let error = await apiError { try await media.download(url: "/1", to: path) }
      #expect(error?.code == .networkError && error?.transport?.kind == .connectionLost)
      #expect(server.requests.count == 3, "the first, and two without progress")
      #expect(try folder.bytes("video.mp4.part") == Array(bytes[..<400]), "it is there for the next download")
      let file = try await media.download(url: "/1", to: path)
      #expect(file.resumedFrom == 400 && file.wasResumed)
    }
    #expect(try folder.bytes("video.mp4") == bytes && folder.names == ["video.mp4"])
  }

  @Test func aServerWithoutRangesIsReadAgain() async throws {
    let bytes = someBytes(5000)
    var behavior = Behavior(file: bytes, hasRanges: false, resetsAfter: 3000)
    let broken = behavior
    behavior.resetsAfter = nil
    for etag in ["\"v1\"", "W/\"v1\"", nil] {
      let behaviors = [broken, behavior].map { old in
        var new = old
        new.etag = etag
        return new
      }
      let (file, error, requests) = try await download(behaviors)
      #expect(error == nil && file?.byteCount == 5000 && requests.count == 2, "\(etag ?? "no tag")")
      #expect(try folder.bytes("video.mp4") == bytes)
      #expect((requests[1].header("Range") == nil) == (etag != "\"v1\""), "only a strong tag earns a range")
    }
  }

  @Test func aFileThatChangesIsReadFromTheBeginning() async throws {
    let (old, new) = (someBytes(5000, seed: 1), someBytes(4000, seed: 2))
    for ignoresIfRange in [false, true] {
      let changed = Behavior(file: new, etag: "\"v2\"", ignoresIfRange: ignoresIfRange)
      let (file, error, requests) = try await download([Behavior(file: old, resetsAfter: 2500), changed])
      #expect(error == nil && file?.etag == "\"v2\"" && file?.byteCount == 4000)
      #expect(try folder.bytes("video.mp4") == new)
      #expect(requests.count == (ignoresIfRange ? 3 : 2))
    }
  }

  @Test func aModificationTimeIsAValidatorOnceItIsOld() async throws {
    let bytes = someBytes(2000)
    for (date, isStrong) in [("Sun, 06 Nov 1994 08:50:37 GMT", true), ("Sun, 06 Nov 1994 08:49:37 GMT", false)] {
      let headers = ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: \(date)"]
      let behaviors = [1000, nil].map { Behavior(file: bytes, etag: nil, headers: headers, resetsAfter: $0) }
      let (_, error, requests) = try await download(behaviors)
      #expect(error == nil && requests.count == 2)
      #expect(requests[1].header("If-Range") == (isStrong ? "Sun, 06 Nov 1994 08:49:37 GMT" : nil))
      #expect(try folder.bytes("video.mp4") == bytes)
    }
  }

  /// Invalid responses to range requests: the whole file is requested instead, and none of it is read twice.
  @Test(arguments: [
    "bytes 0-599/1000", "bytes 401-999/1000", "bytes 399-999/1000", "bytes 400-999/2000", "bytes 400-1000/1000",
    "bytes 999-400/1000", "bytes */1000", "items 400-999/1000", "bytes 400-/1000", "bytes 400-999", "",
    "bytes 400-99999999999999999999/*",
  ]) func aWrongContentRangeIsNotUsed(_ range: String) async throws {
    let bytes = someBytes(1000)
    let (file, error, requests) = try await download([
      Behavior(file: bytes, resetsAfter: 400), Behavior(file: bytes, contentRange: range),
    ])
    #expect(error == nil && file?.restart == nil, "\(error?.description ?? "no error")")
    #expect(requests.map { $0.header("Range") } == [nil, "bytes=400-", nil])
    #expect(try folder.bytes("video.mp4") == bytes)
  }

  /// If a server's ranges are useless, only whole files are requested from then on, wherever it breaks off.
  @Test func uselessRangesAreRequestedOnce() async throws {
    let bytes = someBytes(10_000)
    func useless(_ end: Int?) -> Behavior {
      Behavior(file: bytes, resetsAfter: end, contentRange: "bytes 0-1/10000")
    }
    let (file, error, requests) = try await download([2000, nil, 4000, 3000, 6000, nil].map(useless))
    #expect(error == nil && file?.byteCount == 10_000, "\(error?.description ?? "no error")")
    #expect(requests.map { $0.header("Range") } == [nil, "bytes=2000-", nil, nil, nil, nil])
    #expect(try folder.bytes("video.mp4") == bytes)
  }

  @Test func partsOfTheServersChoiceAreJoined() async throws {
    let bytes = someBytes(10_000)
    var behavior = Behavior(file: bytes, longestPart: 900)
    behavior.resetsAfter = nil
    let (file, error, requests) = try await download([Behavior(file: bytes, resetsAfter: 1000), behavior])
    #expect(error == nil && file?.byteCount == 10_000 && requests.count == 11)
    #expect(try folder.bytes("video.mp4") == bytes)
  }

  /// Servers whose lengths are wrong.
  @Test func wrongLengthsAreErrors() async throws {
    let bytes = someBytes(1000)
    let short = Behavior(file: bytes, hasRanges: false, contentLength: "1500")
    let (_, tooShort, _) = try await download([short])
    #expect(tooShort?.transport?.kind == .connectionLost, "\(tooShort?.description ?? "no error")")
    #expect(tooShort?.message.contains("1000 of 1500 bytes") == true, "\(tooShort?.message ?? "")")
    let long = Behavior(file: bytes, extra: 10)
    let (_, tooLong, _) = try await download([Behavior(file: bytes, resetsAfter: 500), long])
    #expect(tooLong?.code == .invalidResponse, "\(tooLong?.description ?? "no error")")
    #expect(tooLong?.message.contains("more than the 1000 bytes") == true, "\(tooLong?.message ?? "")")
  }

  @Test(arguments: [
    ("204 No Content", APIError.Code.invalidResponse), ("304 Not Modified", .invalidResponse),
    ("206 Partial Content", .invalidResponse), ("416 Range Not Satisfiable", .invalidArgument),
    ("404 Not Found", .notFound), ("403 Forbidden", .permissionDenied), ("300 Multiple Choices", .invalidResponse),
    ("503 Service Unavailable", .unavailable),
  ]) func otherStatusesAreErrors(_ status: String, code: APIError.Code) async throws {
    let (_, error, _) = try await download([Behavior(file: [], status: status)])
    #expect(error?.code == code, "\(error?.description ?? "no error")")
    #expect(folder.names.isEmpty, "nothing is left of a download that never began")
  }

  @Test func aFailureInBetweenIsRetried() async throws {
    let bytes = someBytes(1000)
    let down = Behavior(file: [], status: "503 Service Unavailable")
    let (file, error, _) = try await download([
      down, Behavior(file: bytes, resetsAfter: 300), down, down, Behavior(file: bytes),
    ])
    #expect(error == nil && file?.byteCount == 1000)
    #expect(try folder.bytes("video.mp4") == bytes)
  }

  @Test func aCompressedFileIsRefused() async throws {
    let behavior = Behavior(file: someBytes(100), headers: ["Content-Encoding: gzip"])
    let (_, error, _) = try await download([behavior])
    #expect(error?.code == .invalidResponse && error?.message.contains("compresses the file (gzip)") == true)
  }
}
