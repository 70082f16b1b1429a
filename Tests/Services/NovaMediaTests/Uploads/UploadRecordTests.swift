import NovaCore
import NovaTestSupport
import Testing

@testable import NovaMedia

@Suite struct UploadRecordTests {
  private static let beginning = UploadRecord.Beginning(
    id: "abc123", path: "/a \"b\"/ü\n.mp4", file: FileIdentity(size: 1000, modified: -5, device: .max, inode: .max),
    contentType: "video/mp4", fileName: "ü.mp4", userId: "u\\", caller: .user("ü\""),
    gateway: "https://api.nova.social", key: "key",
    time: 1_764_583_200.125)
  private static let start = UploadRecord.Start(uploadId: "up1", uploadUrl: "/put/up1", chunkSize: 100)
  private static let positions = [
    UploadRecord.Position(offset: 100, digest: [UInt8](repeating: 1, count: 32)),
    UploadRecord.Position(offset: 1000, digest: [UInt8](repeating: 255, count: 32)),
  ]

  private static func line(_ json: JSONValue) -> [UInt8] { json.jsonUTF8 + [UInt8(ascii: "\n")] }
  private static let lines = [
    line(beginning.json), line(start.json(at: 1_764_583_201)), line(positions[0].json(at: 1_764_583_202)),
    line(positions[1].json(at: 1_764_583_203)),
  ]

  @Test func whatIsWrittenIsRead() throws {
    let record = try #require(UploadRecord(journal: Self.lines.flatMap { $0 }))
    #expect(record.beginning == Self.beginning && record.start == Self.start && record.position == Self.positions[1])
    #expect(record.changedAt == 1_764_583_203 && record.length == Self.lines.joined().count)
    let pending = record.pending
    #expect(pending.id == "abc123" && pending.uploadedBytes == 1000 && pending.uploadId == "up1")
    #expect(pending.startedAt == 1_764_583_200.125 && pending.totalBytes == 1000)
    var secret = Self.start
    secret.uploadUrl = nil
    let again = try #require(UploadRecord(journal: Self.lines.flatMap { $0 } + Self.line(secret.json(at: 1))))
    #expect(again.start == secret && again.position == nil)
  }

  /// Records of earlier versions have members instead of a text.
  @Test(
    arguments: [
      (#""user:ada""#, .user("ada")), (#""token:0a""#, .token(fingerprint: "0a")), (#""""#, .anonymous),
      (#"{"user":"ada"}"#, .user("ada")), (#"{"token_sha256":"0a"}"#, .token(fingerprint: "0a")), ("{}", .anonymous),
      (#""x""#, nil), (#"{"x":"y"}"#, nil), ("null", nil),
    ] as [(String, Identity.Caller?)])
  func callersOfAllVersionsAreRead(_ json: String, _ caller: Identity.Caller?) throws {
    let line = String(decoding: Self.lines[0], as: UTF8.self)
    let written = #""caller":"user:ü\"""#
    #expect(line.contains(written))
    let record = try #require(UploadRecord(journal: Array(line.replacing(written, with: #""caller":\#(json)"#).utf8)))
    #expect(record.beginning.caller == caller)
  }

  /// If the clock is set back during an upload, the upload does not become older; otherwise, it would expire at once.
  @Test func aClockThatIsSetBackMakesNothingOlder() throws {
    let back = Self.line(Self.positions[1].json(at: 5))
    let record = try #require(UploadRecord(journal: Self.lines[..<3].flatMap { $0 } + back))
    #expect(record.position == Self.positions[1] && record.changedAt == 1_764_583_202)
  }

  @Test(arguments: ["1e999", "-1e999", "1e300"]) func aTimeThatIsNoneIsNoRecord(time: String) throws {
    let first = String(decoding: Self.lines[0], as: UTF8.self)
    #expect(UploadRecord(journal: Array(first.replacing("1764583200.125", with: time).utf8)) == nil)
    let line = String(decoding: Self.lines[2], as: UTF8.self).replacing("1764583202", with: time)
    #expect(line.contains(time) && UploadRecord(journal: Self.lines[0] + Array(line.utf8)) == nil)
  }

  /// A journal that is cut off at any byte contains everything up to its last complete line.
  @Test func aTornLineIsIgnored() throws {
    let bytes = Self.lines.flatMap { $0 }
    let ends = Self.lines.indices.map { Self.lines[...$0].joined().count }
    for count in 0...bytes.count {
      let record = UploadRecord(journal: Array(bytes[..<count]))
      let whole = ends.filter { $0 <= count }
      #expect((record == nil) == whole.isEmpty, "\(count) bytes")
      #expect(record?.length ?? 0 == whole.last ?? 0, "\(count) bytes")
      #expect(record?.position == (whole.count < 3 ? nil : Self.positions[whole.count - 3]), "\(count) bytes")
      // The machine failed, and the file system kept the size but not the bytes.
      let zeros = Array(bytes[..<count]) + [UInt8](repeating: 0, count: 50)
      #expect(UploadRecord(journal: zeros)?.length ?? 0 == whole.last ?? 0)
    }
  }

  @Test(arguments: [
    "", "\n", "{}\n", "[]\n", "x\n", #"{"version":2}"# + "\n",
  ])
  func anythingElseIsNoRecord(text: String) { #expect(UploadRecord(journal: Array(text.utf8)) == nil) }

  @Test func aDamagedLineIsNoRecord() {
    for index in Self.lines.indices.dropLast() {
      var lines = Self.lines
      lines[index][0] = UInt8(ascii: "x")
      #expect(UploadRecord(journal: lines.flatMap { $0 }) == nil, "line \(index)")
    }
    var past = Self.positions[1]
    past.offset = 1001
    #expect(UploadRecord(journal: Self.lines[0] + Self.line(past.json(at: 1))) == nil)
  }

  @Test func idsAreNames() {
    for id in ["a", "23456789ab", "A-b", String(repeating: "a", count: 64)] { #expect(UploadJournal.isID(id)) }
    for id in ["", "../a", "a/b", "a.b", "a b", "é", "[", String(repeating: "a", count: 65)] {
      #expect(!UploadJournal.isID(id), "\(id)")
    }
    #expect(UploadJournal.isID(UploadID.random()) && UploadID.random(digits: 32).count == 32)
  }
}
