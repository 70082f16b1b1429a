import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaMedia

/// Every way in which a server can respond after a lost connection, as one table: the first response × where it broke
/// off × the next response. In all cases, a success is a whole file.
@Suite(.hangLimit) struct DownloadTableTests {
  /// What the first response reports.
  enum Validator: String, CaseIterable, Sendable {
    case strong, dated, weak, none

    /// Whether the bytes can be continued.
    var isProof: Bool { self == .strong || self == .dated }

    func fields(_ version: Int) -> String {
      switch self {
      case .strong: "ETag: \"v\(version)\"\r\n"
      case .dated: "Last-Modified: Sun, 06 Nov 1994 08:49:3\(version) GMT\r\nDate: Sun, 06 Nov 1994 09:49:37 GMT\r\n"
      case .weak: "ETag: W/\"v1\"\r\n"
      case .none: ""
      }
    }
  }

  /// The response to a request for the rest, and to all later ones if it is for the whole file.
  enum Reply: String, CaseIterable, Sendable {
    // Responses with the same file.
    case part, partAs200, partWithoutValidator, partWithWeakTag, partWithoutRange, partFromBefore, partFromBehind,
      partOfAll
    case partTooShort, partOfOtherSize, partCompressed, multipart, whole, wholeChunked, wholeWithRange, noContent,
      accepted
    case labeledUTF8, labeledEmpty, labeledNone, endHere, endUnknown, endOfOtherSize
    // Responses with another file.
    case otherWhole, otherPart, otherPartWithoutValidator, otherPartWithWeakTag, otherPartAs200, otherEnd
    // Unusable responses.
    case wholeCompressed, truncated, emptied, truncatedEnd

    /// Whether the file was replaced.
    var isOther: Bool { rawValue.hasPrefix("other") }
  }

  struct Case: Sendable, CustomTestStringConvertible {
    let reply: Reply
    let validator: Validator
    let cut: Int
    let isAnnounced: Bool

    var testDescription: String {
      "\(reply.rawValue), \(validator.rawValue), cut at \(cut), \(isAnnounced ? "" : "not ")announced"
    }
    var path: String { "/\(reply.rawValue)/\(validator.rawValue)/\(cut)/\(isAnnounced)" }

    init(_ reply: Reply, _ validator: Validator, cut: Int, isAnnounced: Bool) {
      (self.reply, self.validator, self.cut, self.isAnnounced) = (reply, validator, cut, isAnnounced)
    }

    init?(path: String) {
      let parts = path.split(separator: "/").map(String.init)
      guard parts.count == 4, let reply = Reply(rawValue: parts[0]), let validator = Validator(rawValue: parts[1]),
        let cut = Int(parts[2])
      else { return nil }
      self.init(reply, validator, cut: cut, isAnnounced: parts[3] == "true")
    }

    /// How many bytes of the file arrive, if nothing contradicts them; nil for no bytes although some were announced.
    private func beginning(_ count: Int) -> [UInt8]? {
      count == 0 && isAnnounced && !validator.isProof ? nil : Array(DownloadTableTests.file[..<count])
    }

    /// The correct outcome; nil for an error.
    var outcome: [UInt8]? {
      switch reply {
      case .wholeCompressed: return nil
      // The same version has two sizes, so one of them is wrong. Without a version, nothing reveals that.
      case .truncated, .emptied:
        if validator.isProof && (isAnnounced || cut > 0) { return nil }
        return beginning(reply.size(cut))
      // Nothing else contains the size, and then the whole file has another one.
      case .partOfOtherSize: return validator.isProof && cut > 0 && !isAnnounced ? nil : file
      case .truncatedEnd: return validator.isProof && isAnnounced ? nil : beginning(cut)
      default: return reply.isOther ? otherFile : file
      }
    }
  }

  private static let file = someBytes(3000, seed: 1)
  private static let otherFile = someBytes(3000, seed: 2)

  private static func cases(_ reply: Reply) -> [Case] {
    Validator.allCases.flatMap { validator in
      [0, 1, 2000].flatMap { cut in
        [true, false].map { Case(reply, validator, cut: cut, isAnnounced: $0) }
      }
    }
  }

  private static func script() -> RawServer.Script {
    let counts = Locked<[String: Int]>([:])
    return { connection in
      while let request = try connection.readRequest() {
        let path = String(request.requestLine.split(separator: " ")[1])
        guard let given = Case(path: path) else { return }
        let number = counts.withLock { counts in
          counts[path, default: 0] += 1
          return counts[path] ?? 0
        }
        if number == 1 {
          var head = "HTTP/1.1 200 OK\r\n\(given.validator.fields(1))"
          head += given.isAnnounced ? "Content-Length: 3000\r\n\r\n" : "Transfer-Encoding: chunked\r\n\r\nbb8\r\n"
          try connection.write(Array(head.utf8) + file[..<given.cut])
          return
        }
        try answer(request, given, on: connection)
      }
    }
  }

  private static func answer(_ request: RawRequest, _ given: Case, on connection: RawConnection) throws {
    let reply = given.reply
    let version = reply.isOther ? 2 : 1
    let bytes = reply.isOther ? otherFile : file
    let same = given.validator.fields(version)
    func send(_ status: String, fields: String, _ body: [UInt8], length: Int? = nil) throws {
      let head = "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(length ?? body.count)\r\n\r\n"
      try connection.write(Array(head.utf8) + body)
    }
    func whole() throws {
      switch reply {
      case .wholeCompressed: try send("200 OK", fields: "\(same)Content-Encoding: gzip\r\n", bytes)
      case .truncated, .emptied, .truncatedEnd: try send("200 OK", fields: same, Array(bytes[..<reply.size(given.cut)]))
      case .labeledUTF8: try send("200 OK", fields: "\(same)Content-Encoding: UTF-8\r\n", bytes)
      case .labeledEmpty: try send("200 OK", fields: "\(same)Content-Encoding:\r\n", bytes)
      case .labeledNone: try send("200 OK", fields: "\(same)Content-Encoding: none, identity\r\n", bytes)
      case .wholeWithRange: try send("200 OK", fields: "\(same)Content-Range: bytes 0-2999/3000\r\n", bytes)
      case .partOfAll: try send("206 Partial Content", fields: "\(same)Content-Range: bytes 0-2999/3000\r\n", bytes)
      case .wholeChunked:
        let head = "HTTP/1.1 200 OK\r\n\(same)Transfer-Encoding: chunked\r\n\r\nbb8\r\n"
        try connection.write(Array(head.utf8) + bytes + Array("\r\n0\r\n\r\n".utf8))
      default: try send("200 OK", fields: same, bytes)
      }
    }
    guard let range = request.header("Range"), let start = Int(range.dropFirst(6).dropLast()) else {
      return try whole()
    }
    let rest = Array(bytes[start...])
    let label = "Content-Range: bytes \(start)-2999/3000\r\n"
    let part = "206 Partial Content"
    switch reply {
    case .part, .otherPart: try send(part, fields: same + label, rest)
    case .partAs200, .otherPartAs200: try send("200 OK", fields: same + label, rest)
    case .partWithoutValidator, .otherPartWithoutValidator: try send(part, fields: label, rest)
    case .partWithWeakTag, .otherPartWithWeakTag: try send(part, fields: "ETag: W/\"v1\"\r\n\(label)", rest)
    case .partWithoutRange: try send(part, fields: same, rest)
    case .partFromBefore:
      try send(part, fields: "\(same)Content-Range: bytes \(start - 1)-2999/3000\r\n", Array(bytes[(start - 1)...]))
    case .partFromBehind:
      guard start + 1 < 3000 else { return try whole() }
      try send(part, fields: "\(same)Content-Range: bytes \(start + 1)-2999/3000\r\n", Array(bytes[(start + 1)...]))
    case .partTooShort: try send(part, fields: same + label, Array(rest.dropLast()))
    case .partOfOtherSize: try send(part, fields: "\(same)Content-Range: bytes \(start)-2999/4000\r\n", rest)
    case .partCompressed: try send(part, fields: "\(same)\(label)Content-Encoding: gzip\r\n", rest)
    case .multipart: try send(part, fields: "\(same)Content-Type: multipart/byteranges; boundary=x\r\n", rest)
    case .noContent: try connection.write("HTTP/1.1 204 No Content\r\n\(same)\r\n")
    case .accepted: try send("202 Accepted", fields: same, Array("soon".utf8))
    case .labeledUTF8: try send(part, fields: "\(same)\(label)Content-Encoding: UTF-8\r\n", rest)
    case .labeledEmpty: try send(part, fields: "\(same)\(label)Content-Encoding:\r\n", rest)
    case .labeledNone: try send(part, fields: "\(same)\(label)Content-Encoding: none, identity\r\n", rest)
    case .endHere, .otherEnd, .truncatedEnd:
      try send("416 Range Not Satisfiable", fields: "Content-Range: bytes */\(start)\r\n", [])
    case .endUnknown: try send("416 Range Not Satisfiable", fields: "", [])
    case .endOfOtherSize: try send("416 Range Not Satisfiable", fields: "\(same)Content-Range: bytes */5\r\n", [])
    default: try whole()
    }
  }

  @Test(arguments: Reply.allCases, [false, true]) func aSuccessIsAWholeFile(_ reply: Reply, readsBytes: Bool)
    async throws
  {
    let folder = try TemporaryFolder()
    try await withMedia(Self.script()) { media, _ in
      for given in Self.cases(reply) {
        var result: [UInt8]?
        let error = await apiError {
          if readsBytes {
            result = try await media.bytes(of: given.path, limit: .max).collect()
          } else {
            try await media.download(url: given.path, to: "\(folder.path)/file")
            result = try folder.bytes("file")
          }
        }
        try folder.removeFiles()
        if readsBytes {
          // Bytes that were already returned cannot be voided.
          let mayFail = given.cut > 0 && (given.reply.isOther || !given.validator.isProof)
          #expect(result == given.outcome || mayFail && result == nil, "\(given.testDescription): \(error as Any)")
        } else {
          #expect(result == given.outcome, "\(given.testDescription): \(error as Any)")
        }
        if result == nil {
          #expect(
            [.invalidResponse, .networkError, .failedPrecondition].contains(error?.code), "\(given.testDescription)")
        }
      }
    }
  }

  /// What a later run does with the existing bytes: the same command continues, even if a server's ranges are useless.
  @Test(arguments: Reply.allCases) func aLaterRunEndsLikeTheFirst(_ reply: Reply) async throws {
    let folder = try TemporaryFolder()
    try await withMedia(Self.script(), resilience: .none) { media, _ in
      for given in Self.cases(reply) {
        let lost = await apiError { try await media.download(url: given.path, to: "\(folder.path)/file") }
        #expect(lost?.code == .networkError, "\(given.testDescription)")
        let left = folder.names.contains("file.part") ? given.cut : 0
        #expect(left == (given.validator.isProof ? given.cut : 0), "\(given.testDescription)")
        // Nothing is known about a file if none of its bytes arrived.
        if left == 0, [.truncated, .emptied, .truncatedEnd].contains(reply) { continue }
        var result: [UInt8]?
        let error = await apiError {
          try await media.download(url: given.path, to: "\(folder.path)/file")
          result = try folder.bytes("file")
        }
        #expect(result == given.outcome, "\(given.testDescription): \(error as Any)")
        if given.outcome == nil, left > 0, reply != .wholeCompressed {
          #expect(error?.message.contains("file.part\" to download it from the beginning") == true, "\(error as Any)")
          #expect(try folder.bytes("file.part").count >= left, "what is there may be right")
        }
        try folder.removeFiles()
      }
    }
  }
}

extension DownloadTableTests.Reply {
  /// The size of a truncated file.
  fileprivate func size(_ cut: Int) -> Int {
    switch self {
    case .emptied: 0
    case .truncatedEnd: cut
    default: cut / 2
    }
  }
}

extension TemporaryFolder {
  fileprivate func removeFiles() throws {
    for name in names { try FileManager.default.removeItem(atPath: "\(path)/\(name)") }
  }
}
