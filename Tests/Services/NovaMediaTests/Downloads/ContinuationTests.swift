import NovaCore
import NovaCrypto
import NovaTestSupport
import Testing

@testable import NovaMedia

/// The rule that decides whether bytes may be joined, without a server.
@Suite struct ContinuationTests {
  private static let dated: HTTPHeaders = ["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
  private static let tag: HTTPHeaders = ["ETag": "\"v1\""]

  /// What is known about the existing bytes, and what later responses repeat.
  private static let known: [(validator: MediaValidator, same: HTTPHeaders)] = [
    (.etag("\"v1\""), tag), (.lastModified("Sun, 06 Nov 1994 08:49:37 GMT"), dated),
  ]
  /// Headers that prove nothing.
  private static let silent: [HTTPHeaders] = [
    [:], ["ETag": "W/\"v1\""], ["ETag": "v1"], ["ETag": ""],
    ["ETag": "W/\"v1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"],
  ]

  private static func contradiction(before: Int, now: Int) -> String {
    "the server reports a size of \(now) bytes after one of \(before) for the same version"
  }

  private func verdict(
    _ validator: MediaValidator, total: Int? = 300, at position: Int = 100, status: Int, _ headers: HTTPHeaders,
    range: String? = nil, length: Int? = nil, isRange: Bool = true, needsDigest: Bool = false
  ) -> Continuation.Verdict {
    var headers = headers
    headers["Content-Range"] = range
    let known = MediaHead(validator: validator, total: total)
    return Continuation(position: position, known: known, needsDigest: needsDigest, isRange: isRange)
      .verdict(status: status, headers: headers, length: length)
  }

  @Test func aPartNeedsProof() {
    for (validator, same) in Self.known {
      guard
        case .body(_, let bytes) = verdict(validator, status: 206, same, range: "bytes 100-299/300", length: 200)
      else {
        Issue.record("\(validator)")
        continue
      }
      #expect(bytes == Continuation.Bytes(start: 100, end: 300, isPart: true))
      for headers in Self.silent {
        #expect(
          verdict(validator, status: 206, headers, range: "bytes 100-299/300", length: 200) == .unclear, "\(headers)")
      }
      #expect(
        verdict(validator, status: 206, same, range: "bytes 100-299/300", length: 200, needsDigest: true) == .unclear)
    }
    #expect(
      verdict(.etag("\"v1\""), status: 206, ["ETag": "\"v2\""], range: "bytes 100-299/300", length: 200) == .changed)
    #expect(
      verdict(
        Self.known[1].validator, status: 206, ["Last-Modified": "Sun, 06 Nov 1994 08:49:38 GMT"],
        range: "bytes 100-299/300", length: 200) == .changed)
  }

  /// A part is used only from the requested position on.
  @Test(arguments: [
    nil, "bytes 0-299/300", "bytes 50-299/300", "bytes 101-299/300", "bytes 0-99/300", "bytes 100-299/400",
    "bytes 100-299/200", "bytes */300", "items 100-299/300", "bytes 100-350/*", "",
  ]) func otherPartsAskForTheWholeFile(_ range: String?) {
    for status in [206, 200] where status == 206 || range?.hasSuffix("0-299/300") == false {
      guard status == 206 || ContentRange(range)?.bytes != nil else { continue }
      let length = ContentRange(range)?.bytes?.count
      let result = verdict(.etag("\"v1\""), status: status, Self.tag, range: range, length: length)
      if range == "bytes 0-299/300" {
        guard case .body(_, let bytes) = result, bytes.start == 0, bytes.isSame else {
          Issue.record("\(result)")
          continue
        }
      } else {
        #expect(result == .unclear, "\(status) \(range ?? "nil")")
      }
    }
    #expect(
      verdict(.etag("\"v1\""), status: 206, Self.tag, range: "bytes 100-299/300", length: 199) == .unclear)
  }

  @Test func theWholeFileShowsWhatIsThere() {
    for (validator, same) in Self.known {
      for length in [300, nil] {
        guard case .body(_, let bytes) = verdict(validator, status: 200, same, length: length) else {
          Issue.record("\(validator)")
          continue
        }
        #expect(bytes == Continuation.Bytes(start: 0, end: length))
      }
      for length in [0, 99, 100, 299, 301] {
        for position in [0, 100] {
          #expect(
            verdict(validator, at: position, status: 200, same, length: length)
              == .contradiction(Self.contradiction(before: 300, now: length)), "\(length)")
        }
      }
      #expect(
        verdict(validator, total: nil, status: 200, same, length: 99)
          == .contradiction(Self.contradiction(before: 100, now: 99)))
      guard case .body(_, let bytes) = verdict(validator, at: 400, status: 200, same, length: 300), !bytes.isSame else {
        Issue.record("more bytes than the file ever had are not of it")
        continue
      }
      for headers in Self.silent + [["ETag": "\"v2\""]] {
        for length in [0, 99, 300, nil] {
          let verdict = verdict(validator, status: 200, headers, length: length)
          if length == 0, headers != ["ETag": "\"v2\""] {
            #expect(
              verdict == .contradiction(Replacement.empty.description), "nothing is no later version of something")
            continue
          }
          guard case .body(_, let bytes) = verdict else {
            Issue.record("\(headers) \(String(describing: length))")
            continue
          }
          #expect(bytes == Continuation.Bytes(start: 0, end: length, isSame: false))
        }
      }
    }
  }

  @Test func theEndNeedsTheAnnouncedSize() {
    let etag = MediaValidator.etag("\"v1\"")
    func end(_ total: String?, known: Int?, _ headers: HTTPHeaders = [:], needsDigest: Bool = false)
      -> Continuation.Verdict
    {
      verdict(
        etag, total: known, status: 416, headers, range: total.map { "bytes */\($0)" }, needsDigest: needsDigest)
    }
    #expect(end("100", known: 100) == .complete && end("100", known: 100, Self.tag) == .complete)
    #expect(end("100", known: nil, Self.tag) == .complete)
    #expect(end(nil, known: 100) == .complete && end(nil, known: 100, needsDigest: true) == .unclear)
    #expect(end("100", known: 100, ["ETag": "\"v2\""]) == .changed)
    #expect(end("100", known: nil) == .unclear, "another file can be as long as what is there")
    #expect(end("100", known: 100, needsDigest: true) == .unclear)
    for headers in [[:], Self.tag] {
      for total in ["0", "99", "101", "300", nil] {
        #expect(end(total, known: 300, headers) == .unclear && end(total, known: nil, headers) == .unclear)
      }
      #expect(end("100", known: 300, headers) == .unclear, "a truncated file is not the file")
    }
  }

  @Test func aDigestProvesMoreThanAValidator() throws {
    let digest = try SHA256.digest(of: [1])
    func field(_ digest: [UInt8]) -> String { DigestField.text(digest) }
    var known = MediaHead(validator: .etag("\"v1\""), total: 300)
    known.digest = digest
    for needsDigest in [false, true] {
      let rule = Continuation(position: 100, known: known, needsDigest: needsDigest, isRange: true)
      func part(_ headers: HTTPHeaders) -> Continuation.Verdict {
        var headers = headers
        headers["Content-Range"] = "bytes 100-299/300"
        return rule.verdict(status: 206, headers: headers, length: 200)
      }
      guard case .body = part(["Repr-Digest": field(digest)]) else {
        Issue.record("an equal digest is proof enough")
        continue
      }
      #expect(part(["Repr-Digest": field(try SHA256.digest(of: [2])), "ETag": "\"v1\""]) == .changed)
      #expect(part(["Repr-Digest": field(digest), "ETag": "\"v2\""]) == .changed)
    }
  }

  /// If the request has no range, only the whole file is a valid response.
  @Test func aRequestForAllTakesNoPart() {
    let rule = Continuation(position: 0)
    guard case .body = rule.verdict(status: 206, headers: ["Content-Range": "bytes 0-9/10"], length: 10) else {
      Issue.record("a 206 with all of the file is harmless")
      return
    }
    for (status, range, length) in [
      (206, "bytes 0-8/10", 9), (206, nil, 9), (200, "bytes 0-8/10", 9), (200, "bytes 1-9/10", 9),
      (206, "bytes 0-9/*", 10),
      (416, "bytes */0", 0), (204, nil, nil), (202, nil, 9),
    ] as [(Int, String?, Int?)] {
      var headers: HTTPHeaders = [:]
      headers["Content-Range"] = range
      guard case .unusable = rule.verdict(status: status, headers: headers, length: length) else {
        Issue.record("\(status) \(range ?? "nil")")
        continue
      }
    }
  }
}
