import Foundation
import NovaCore
import NovaCrypto
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// Responses after a lost connection that look like the rest of the file but are not, or that are but don't look like
/// it: redirects, contradictory headers, spellings of `Content-Range`, media types, late digests. As in
/// ``DownloadTableTests``, a success is a whole file.
@Suite(.hangLimit) struct DownloadProofTableTests {
  enum Validator: String, CaseIterable, Sendable {
    case strong, dated

    func fields(_ version: Int = 1) -> String {
      switch self {
      case .strong: "ETag: \"v\(version)\"\r\n"
      case .dated: "Last-Modified: Sun, 06 Nov 1994 08:49:3\(version) GMT\r\nDate: Sun, 06 Nov 1994 09:49:37 GMT\r\n"
      }
    }
  }

  /// Spellings of `Content-Range` that no rule covers, around `100-2999/3000`, or at any position.
  static let labels = [
    "bytes=%-2999/3000", "bytes % - 2999/3000", "bytes %-2999 /3000", "bytes %-2999", "bytes %-2999/abc",
    "bytes */3000",
    "%-2999/3000", "items %-2999/3000", "bytes: %-2999/3000", "bytes %-2999/3000, bytes 0-1/3000", "bytes %-/3000",
  ]

  /// What the server does after the first response, which ended early.
  enum Reply: Sendable, Hashable, CustomTestStringConvertible {
    // Where the URL then redirects.
    case redirectedTo(String, isOther: Bool)
    /// A part with its own fields, in addition to the validator of the first response.
    case partWith(String, isOther: Bool)
    /// 200 with the rest of the file, and a label.
    case restAs200(String)
    /// 200 with something other than the file.
    case replacedBy(String, [UInt8])
    /// A part with the digest of the file, to which the first bytes do not belong.
    case lateDigest

    var isOther: Bool {
      switch self {
      case .redirectedTo(_, let isOther), .partWith(_, let isOther): isOther
      default: false
      }
    }

    var testDescription: String {
      switch self {
      case .redirectedTo(let target, _): "redirected to \(target)"
      case .partWith(let fields, _): "part with \(fields.debugDescription)"
      case .restAs200(let label): "200 with \(label)"
      case .replacedBy(let fields, let body): "\(body.count) bytes with \(fields.debugDescription)"
      case .lateDigest: "late digest"
      }
    }
  }

  private static let file = someBytes(3000, seed: 1)
  private static let otherFile = someBytes(3000, seed: 2)
  private static let digest = (try? SHA256.digest(of: file)) ?? []

  static let replies: [Reply] =
    [
      .redirectedTo("/v1.bin", isOther: false), .redirectedTo("/v1.bin?signature=2", isOther: false),
      .redirectedTo("/v2.bin", isOther: true), .redirectedTo("/v2.bin?signature=2", isOther: true),
      .redirectedTo("/other/v1.bin", isOther: true),
      .partWith("ETag: \"v9\"\r\n", isOther: true), .partWith("ETag: W/\"v1\"\r\n", isOther: true),
      .partWith("Last-Modified: Sun, 06 Nov 1994 08:49:39 GMT\r\n", isOther: true),
      .partWith("Content-Range: bytes 0-99/3000\r\n", isOther: true),
      .partWith("ETag: \"v1\"\r\nX-A: b\r\n", isOther: false), .lateDigest,
      .replacedBy("Content-Type: text/html\r\n", Array("<html>".utf8)),
      .replacedBy("Content-Type: Text/HTML; charset=utf-8\r\nETag: \"portal\"\r\n", Array("<html>".utf8)),
      .replacedBy("Content-Type: application/xhtml+xml\r\n", Array("<html>".utf8)), .replacedBy("", []),
    ] + labels.map { .restAs200($0) }

  /// Whether a repeated, equal field is one: `ETag` next to a date is not.
  private static func outcome(_ reply: Reply, _ validator: Validator) -> [UInt8]? {
    switch reply {
    case .replacedBy, .lateDigest: nil
    default: reply.isOther ? otherFile : file
    }
  }

  private static func script(_ reply: Reply, _ validator: Validator, cut: Int) -> RawServer.Script {
    let state = Locked((isFirst: true, target: "/v1.bin"))
    var isRedirected = false
    if case .redirectedTo = reply { isRedirected = true }
    return { [isRedirected] connection in
      while let request = try connection.readRequest() {
        let path = String(request.requestLine.split(separator: " ")[1])
        if isRedirected, path == "/file" {
          try connection.respond("302 Found", headers: ["Location: \(state.withLock { $0.target })"])
          continue
        }
        let isFirst = state.withLock { state in
          defer {
            state.isFirst = false
            if case .redirectedTo(let target, _) = reply { state.target = target }
          }
          return state.isFirst
        }
        guard isFirst else {
          try answer(request, with: reply, validator: validator, on: connection)
          continue
        }
        let start = reply == .lateDigest ? otherFile : file
        let head = "HTTP/1.1 200 OK\r\n\(validator.fields())Content-Type: video/mp4\r\nContent-Length: 3000\r\n\r\n"
        return try connection.write(Array(head.utf8) + start[..<cut])
      }
    }
  }

  private static func answer(
    _ request: RawRequest, with reply: Reply, validator: Validator, on connection: RawConnection
  ) throws {
    func send(_ status: String, fields: String, _ body: [UInt8]) throws {
      let head = "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.count)\r\n\r\n"
      try connection.write(Array(head.utf8) + body)
    }
    if case .replacedBy(let fields, let body) = reply { return try send("200 OK", fields: fields, body) }
    let bytes = reply.isOther ? otherFile : file
    // The redirected file has the validators of the other one.
    var isRedirected = false
    if case .redirectedTo = reply { isRedirected = true }
    let whole = validator.fields(reply.isOther && !isRedirected ? 2 : 1)
    guard let range = request.header("Range"), let start = Int(range.dropFirst(6).dropLast()) else {
      return try send("200 OK", fields: whole, bytes)
    }
    let rest = Array(bytes[start...])
    let label = "Content-Range: bytes \(start)-2999/3000\r\n"
    switch reply {
    case .redirectedTo: try send("206 Partial Content", fields: validator.fields() + label, rest)
    case .partWith(let fields, _): try send("206 Partial Content", fields: validator.fields() + label + fields, rest)
    case .restAs200(let text):
      let text = text.replacingOccurrences(of: "%", with: "\(start)")
      try send("200 OK", fields: "\(validator.fields())Content-Range: \(text)\r\n", rest)
    case .lateDigest:
      try send(
        "206 Partial Content", fields: "\(validator.fields())\(label)Repr-Digest: \(DigestField.text(digest))\r\n", rest
      )
    case .replacedBy: break
    }
  }

  private static let cuts = [1, 2000]

  /// An equal entity tag is proof enough, whatever the times are.
  private static func isContradictory(_ reply: Reply, _ validator: Validator) -> Bool {
    guard case .partWith(let fields, true) = reply else { return true }
    return validator == .dated || !fields.hasPrefix("Last-Modified")
  }

  /// Within one call.
  @Test(arguments: replies, Validator.allCases) func aSuccessIsAWholeFile(_ reply: Reply, validator: Validator)
    async throws
  {
    guard Self.isContradictory(reply, validator) else { return }
    for cut in Self.cuts {
      let folder = try TemporaryFolder()
      var result: [UInt8]?
      let error = try await withMedia(Self.script(reply, validator, cut: cut)) { media, _ in
        await apiError {
          try await media.download(url: "/file", to: "\(folder.path)/file")
          result = try folder.bytes("file")
        }
      }
      #expect(result == Self.outcome(reply, validator), "cut at \(cut): \(error as Any)")
      if result == nil { #expect(error?.code == .invalidResponse, "\(error as Any)") }
      if case .replacedBy = reply {
        #expect(try folder.bytes("file.part") == Array(Self.file[..<cut]), "what is there may be right")
      }
    }
  }

  /// Bytes that were already returned cannot be voided.
  @Test(arguments: replies, Validator.allCases) func noMixtureIsHandedOut(_ reply: Reply, validator: Validator)
    async throws
  {
    guard Self.isContradictory(reply, validator) else { return }
    // A digest cannot be compared with bytes that are gone.
    if reply == .lateDigest { return }
    for cut in Self.cuts {
      try await withMedia(Self.script(reply, validator, cut: cut)) { media, _ in
        var result: [UInt8]?
        let error = await apiError { result = try await media.bytes(of: "/file", limit: .max).collect() }
        #expect(result == nil || result == Self.file, "cut at \(cut)")
        #expect(error == nil || [.failedPrecondition, .invalidResponse].contains(error?.code), "\(error as Any)")
      }
    }
  }

  /// In the next process, which has the record.
  @Test(arguments: replies, Validator.allCases) func aLaterRunEndsLikeTheFirst(_ reply: Reply, validator: Validator)
    async throws
  {
    guard Self.isContradictory(reply, validator) else { return }
    for cut in Self.cuts {
      let folder = try TemporaryFolder()
      var result: [UInt8]?
      try await withMedia(Self.script(reply, validator, cut: cut), resilience: .none) { (media, _) async throws in
        let lost = await apiError { try await media.download(url: "/file", to: "\(folder.path)/file") }
        #expect(lost?.code == .networkError && folder.names.contains("file.part"), "\(lost as Any)")
        let error = await apiError {
          try await media.download(url: "/file", to: "\(folder.path)/file")
          result = try folder.bytes("file")
        }
        #expect(result == Self.outcome(reply, validator), "cut at \(cut): \(error as Any)")
        guard case .replacedBy = reply else { return }
        #expect(error?.message.contains("file.part\" to download it from the beginning") == true, "\(error as Any)")
        #expect(try folder.bytes("file.part") == Array(Self.file[..<cut]), "what is there may be right")
      }
    }
  }

  /// A record of an earlier version does not contain where redirects led, and is continued.
  @Test func anEarlierRecordIsContinued() async throws {
    let folder = try TemporaryFolder()
    let script = Self.script(.redirectedTo("/v1.bin", isOther: false), .strong, cut: 2000)
    try await withMedia(script, resilience: .none) { media, _ in
      await #expect(throws: APIError.self) { try await media.download(url: "/file", to: "\(folder.path)/file") }
      var record = try #require(PartRecord(try folder.bytes("file.part.json")))
      #expect(record.head.landing?.text.contains("/v1.bin#") == true)
      record.head.landing = nil
      _ = try folder.write(record.json, to: "file.part.json")
      #expect(try await media.download(url: "/file", to: "\(folder.path)/file").resumedFrom == 2000)
    }
    #expect(try folder.bytes("file") == Self.file)
  }

  /// A body that is labeled as a part is not the file, unless it has the file's length.
  @Test(arguments: labels) func aFreshDownloadTakesNoPart(_ label: String) async throws {
    for (text, count) in [("0", 2000), ("0", 3000)] {
      let label = label.replacingOccurrences(of: "%", with: text)
      let behavior = FileServer.Behavior(file: Array(Self.file[..<count]), headers: ["Content-Range: \(label)"])
      let folder = try TemporaryFolder()
      let error = try await withMedia(FileServer.script { _ in behavior }) { media, _ in
        await apiError { try await media.download(url: "/1", to: "\(folder.path)/file") }
      }
      // In other units, and without a unit, a complete range is the whole of something.
      let isInOthers = ["items 0-2999/3000", "0-2999/3000"].contains(label)
      let isWhole = count == 3000 && label.hasSuffix("/3000") && !label.contains(",") || isInOthers
      #expect(error?.code == (isWhole ? nil : .invalidResponse), "\(label) \(count)")
      #expect(folder.names.contains("file") == isWhole, "\(label) \(count)")
    }
  }

  /// Only the same path is the same file, and a different query is accepted only with an entity tag.
  @Test func placesAreCompared() throws {
    func landing(_ targets: String?...) throws -> MediaLanding? {
      MediaLanding(
        try targets.map { try HTTPRedirect(status: 302, headers: [:], target: $0.map { try HTTPURL(parsing: $0) }) })
    }
    let (tag, time) = (MediaValidator.etag("\"1\""), MediaValidator.lastModified("Sun, 06 Nov 1994 08:49:37 GMT"))
    let base = try #require(try landing("https://a/b", "https://cdn/v1?s=1"))
    #expect(base.text.hasPrefix("https://cdn/v1#") && !base.text.contains("s=1"))
    for (target, sameForTag, sameForTime) in [
      ("https://cdn/v1?s=1", true, true), ("https://cdn/v1?s=2", true, false), ("https://cdn/v1", true, false),
      ("https://cdn/v2?s=1", false, false), ("https://cdn2/v1?s=1", false, false), ("http://cdn/v1?s=1", false, false),
      ("https://cdn:444/v1?s=1", false, false), ("https://cdn/v1/?s=1", false, false),
    ] {
      let other = try #require(try landing(target))
      #expect(
        base.isSame(as: other, for: tag) == sameForTag && other.isSame(as: base, for: tag) == sameForTag, "\(target)")
      #expect(base.isSame(as: other, for: time) == sameForTime, "\(target)")
    }
    let none = try #require(try landing())
    #expect(none.isSame(as: none, for: time) && !none.isSame(as: base, for: tag) && !base.isSame(as: none, for: tag))
    #expect(try landing("https://a", nil) == nil)
  }
}
