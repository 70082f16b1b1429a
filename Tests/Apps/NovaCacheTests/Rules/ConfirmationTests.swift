import NovaCore
import NovaCrypto
import NovaMedia
import NovaTestSupport
import Testing

@testable import NovaCache

/// Which 304 responses confirm a stored response, and which are about another one.
@Suite struct ConfirmationTests {
  private static let dates = ["Mon, 01 Jan 2024 00:00:00 GMT", "Tue, 02 Jan 2024 00:00:00 GMT"]

  private static func digest(_ text: String) -> String {
    (try? SHA256.digest(of: Array(text.utf8))).map(DigestField.text) ?? ""
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let stored: HTTPHeaders
    let confirmation: [(String, String)]
    let isConfirmed: Bool

    var testDescription: String { "\(stored.fields) \(confirmation)" }

    init(_ stored: HTTPHeaders, by confirmation: [(String, String)], isConfirmed: Bool) {
      (self.stored, self.confirmation, self.isConfirmed) = (stored, confirmation, isConfirmed)
    }
  }

  static let cases: [Case] =
    [
      ("\"1\"", "\"1\"", true), ("W/\"1\"", "W/\"1\"", true), ("\"1\"", "W/\"1\"", true), ("W/\"1\"", "\"1\"", true),
      ("1", "1", true), ("1", "\"1\"", true), ("\"1\"", "1", true), ("\"\"", "\"\"", true),
      ("\"1\"", "\"2\"", false), ("\"1\"", "W/\"2\"", false), ("W/\"1\"", "\"2\"", false),
      ("W/\"1\"", "W/\"2\"", false),
      ("1", "2", false), ("\"1\"", "2", false), ("\"1\"", "\"1 \"", false), ("\"a\"", "\"A\"", false),
      ("w/\"1\"", "\"1\"", false),
    ].map { Case(["ETag": $0], by: [("ETag", $1)], isConfirmed: $2) } + [
      Case(["ETag": "\"1\""], by: [], isConfirmed: true),
      Case(["ETag": "\"1\""], by: [("ETag", "")], isConfirmed: true),
      Case(["ETag": "\"1\""], by: [("ETag", "\"1\""), ("ETag", "\"2\"")], isConfirmed: false),
      Case(["ETag": "\"1\""], by: [("ETag", "\"1\""), ("ETag", "\"1\"")], isConfirmed: true),
      Case(["Last-Modified": dates[0]], by: [("Last-Modified", dates[0])], isConfirmed: true),
      Case(["Last-Modified": dates[0]], by: [("Last-Modified", "Monday, 01-Jan-24 00:00:00 GMT")], isConfirmed: true),
      Case(["Last-Modified": dates[0]], by: [("Last-Modified", dates[1])], isConfirmed: false),
      Case(
        ["Last-Modified": dates[0]], by: [("Last-Modified", dates[0]), ("Last-Modified", dates[1])], isConfirmed: false),
      Case(["Last-Modified": dates[0]], by: [("Last-Modified", "now")], isConfirmed: true),
      Case(["Last-Modified": dates[0]], by: [("ETag", "W/\"1\"")], isConfirmed: true),
      Case(["Last-Modified": dates[0]], by: [("ETag", "\"1\"")], isConfirmed: false),
      Case(["Last-Modified": dates[0]], by: [], isConfirmed: true),
      Case(["ETag": "\"1\"", "Last-Modified": dates[0]], by: [("Last-Modified", dates[1])], isConfirmed: false),
      // Servers with one host name share the files, but not their times.
      Case(
        ["ETag": "\"1\"", "Last-Modified": dates[0]], by: [("ETag", "\"1\""), ("Last-Modified", dates[1])],
        isConfirmed: true),
      Case(["ETag": "\"1\""], by: [("ETag", "\"1\""), ("Repr-Digest", digest("0"))], isConfirmed: true),
      Case(["ETag": "\"1\""], by: [("ETag", "\"1\""), ("Repr-Digest", digest("1"))], isConfirmed: false),
      Case(
        ["ETag": "\"1\"", "Repr-Digest": digest("0")], by: [("ETag", "\"1\""), ("Repr-Digest", digest("1"))],
        isConfirmed: false),
      Case(["ETag": "\"1\"", "Content-Encoding": "gzip"], by: [("Repr-Digest", digest("1"))], isConfirmed: true),
    ]

  @Test(arguments: cases, [false, true]) func onlyItsOwnConfirmationCounts(_ given: Case, isOnDisk: Bool) async throws {
    let folder = try TemporaryFolder()
    let options = HTTPCache.Options(memoryBytes: isOnDisk ? 0 : 1 << 20, directory: isOnDisk ? folder.path : nil)
    let fixture = CacheFixture(options) { number, request in
      let isConditional = request.headers["If-None-Match"] != nil || request.headers["If-Modified-Since"] != nil
      var headers: HTTPHeaders = ["Cache-Control": "no-cache"]
      guard number == 0 || !isConditional else {
        for (name, value) in given.confirmation { headers.append(name: name, value: value) }
        return HTTPResponse(status: 304, headers: headers)
      }
      for field in given.stored { headers.append(name: field.name, value: field.value) }
      return HTTPResponse(status: 200, headers: headers, body: Array("\(number)".utf8))
    }
    #expect(try await fixture.text().hasPrefix("0 "))
    // If it does not count as a confirmation, the next request has no condition.
    #expect(try await fixture.text().hasPrefix(given.isConfirmed ? "0 " : "2 "))
    #expect(fixture.requestCount == (given.isConfirmed ? 2 : 3))
  }
}
