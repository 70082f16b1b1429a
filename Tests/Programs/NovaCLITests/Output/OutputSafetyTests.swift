import Foundation
import NovaCore
import NovaSDK
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCLI

/// Server text cannot control a terminal, forge a record or mislead a script.
@Suite struct OutputSafetyTests {
  /// Every control character and every one that formats text: C0, DEL, C1, bidi, zero-width, tags, separators.
  static let unsafe: [Unicode.Scalar] = (UInt32(0)...0x10_FFFF).compactMap(Unicode.Scalar.init).filter {
    switch $0.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// What of a text is not safe to show, line feeds between lines aside.
  private func dangers(in text: String) -> [String] {
    text.unicodeScalars.filter { $0 != "\n" && $0 != "\t" && Self.unsafe.contains($0) }.map {
      String($0.value, radix: 16)
    }
  }

  /// What is written to standard output.
  private func written(isTerminal: Bool, _ body: (StandardOutput) async throws -> Void) async throws -> String {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
    try Data().write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let handle = try FileHandle(forWritingTo: url)
    let output = StandardOutput(handle.fileDescriptor, isTerminal: isTerminal)
    defer { try? handle.close() }
    try await body(output)
    try output.flush()
    return String(decoding: try Data(contentsOf: url), as: UTF8.self)
  }

  private func idWriter(_ output: StandardOutput, _ format: OutputFormat) throws -> RecordWriter<String> {
    IDRecord.user.writer(
      output,
      in: try RecordShape(IDRecord.user.descriptor, columns: ["user_id"], id: "user_id", format: format))
  }

  private func ids(_ scalar: Unicode.Scalar) -> [String] { ["a\(scalar)b", "\(scalar)a", "a\(scalar)"] }

  private func post(_ id: String) -> JSONValue {
    .object([
      .init(name: "id", value: .string(id)), .init(name: "content", value: .string("\(id)\n\(id)")),
      .init(name: "creator_id", value: .string(id)),
    ])
  }

  @Test func thereAreManyOfThem() {
    #expect(Self.unsafe.count > 200)
    for scalar in Self.unsafe { #expect(!scalar.isSafeToShow, "\(scalar.value)") }
    for scalar in "aé中😀❤e\u{301} ½-\"\\".unicodeScalars { #expect(scalar.isSafeToShow, "\(scalar.value)") }
  }

  /// A pet's reward is shown in the server's words.
  @Test(arguments: [true, false]) func aRewardIsSafeToShow(isTerminal: Bool) async throws {
    let words = String(String.UnicodeScalarView(Self.unsafe))
    let pet = try PetDetails(
      Announcement(
        id: "pet-1", petName: "Luna", species: "CAT", status: "MISSING", photoUrl: "/1.jpg",
        lastSeenDate: "2025-11-20", locationLatitude: 0, locationLongitude: 0, phone: "1",
        reward: "500-800 PLN\(words)", description: "Grey", createdAt: "2025-11-20T18:30:00Z",
        updatedAt: "2025-11-21 07:15:00"))
    let text = try await written(isTerminal: isTerminal) { output in
      try output.writeRows(PetCard(pet: pet, times: TimeText(.iso)).rows)
    }
    #expect(text.contains("500-800 PLN"))
    #expect(dangers(in: text.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")).isEmpty)
  }

  // MARK: Ids

  @Test func idsThatScriptsCouldMisreadAreRefused() async throws {
    for id in Self.unsafe.flatMap(ids) + [
      "", "1\u{FE0F}", "❤\u{FE0F}", "👩\u{200D}💻", "می\u{200C}خواهم", "a b", "a\u{A0}b", "a\u{3000}b", "it's", "a\"b",
      "a\\b", "-x", "--base-url=http://h",
    ] {
      for isTerminal in [true, false] {
        await #expect(throws: Failure.self, "\(id.debugDescription)") {
          try await written(isTerminal: isTerminal) { output in
            var writer = try idWriter(output, .ids)
            try writer.begin()
            try await writer.write(["good", id])
          }
        }
      }
      let failure = #expect(throws: Failure.self) { try OutputID(id).line() }
      #expect(failure?.status == .badData)
      #expect(dangers(in: failure?.message ?? "\0") == [])
    }
  }

  /// Not one of a page is written before all were looked at.
  @Test func nothingIsWrittenBesideARefusedID() async throws {
    let text = try await written(isTerminal: false) { output in
      var writer = try idWriter(output, .ids)
      await #expect(throws: Failure.self) { try await writer.write(["good", "a\nb"]) }
      let shape = try RecordShape(Post.descriptor, format: .ids)
      var records = RecordWriter<JSONValue>(output, in: shape, key: "posts") { $0 }
      await #expect(throws: Failure.self) { try await records.write([post("good"), post("a\nb")]) }
    }
    #expect(text == "")
  }

  @Test func harmlessIDsStayAsTheyAre() async throws {
    let ids = ["mock-user-id", "550e8400-e29b-41d4-a716-446655440000", "42", "user:ä@x.example/y_z.~+=%20", "中文", "😀"]
    let text = try await written(isTerminal: false) { output in
      var writer = try idWriter(output, .ids)
      try await writer.write(ids)
    }
    #expect(text == ids.joined(separator: "\n") + "\n")
  }

  // MARK: Everything else

  @Test(arguments: [OutputFormat.table, .json, .ndjson], [true, false])
  func listsAreSafe(_ format: OutputFormat, _ isTerminal: Bool) async throws {
    let all = Self.unsafe.flatMap(ids)
    let shape = try RecordShape(Post.descriptor, format: format)
    let lists = [
      try await written(isTerminal: isTerminal) { output in
        var writer = try idWriter(output, format)
        try writer.begin()
        try await writer.write(all)
        try writer.end([.init(name: "next\u{9B}", value: .string("\u{202E}"))])
      },
      try await written(isTerminal: isTerminal) { output in
        var writer = RecordWriter<JSONValue>(output, in: shape, key: "posts") { $0 }
        try writer.begin()
        try await writer.write(all.map(post))
        try writer.end([])
      },
    ]
    for text in lists {
      let lines = text.split(separator: "\n")
      // In a pipe JSON is data: it stays as it is, but for what separates its lines.
      if format == .table || isTerminal { #expect(dangers(in: text) == []) }
      if format != .json { #expect(lines.count == all.count + (format == .table && isTerminal ? 1 : 0)) }
      let separators: Set<Unicode.Scalar> = format == .table ? ["\n", "\t"] : ["\n"]
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && !separators.contains($0) })
    }
    if format == .ndjson {
      let read = try lists[0].split(separator: "\n").map {
        try JSONValue(jsonUTF8: Array($0.utf8))["user_id"]?.stringValue
      }
      #expect(read.map { $0.map { Array($0.utf8) } } == all.map { Array($0.utf8) })
    }
    if format == .json {
      guard case .array(let read)? = try JSONValue(jsonUTF8: Array(lists[0].utf8))["user_ids"] else {
        Issue.record("no list")
        return
      }
      #expect(read.map { $0.stringValue.map { Array($0.utf8) } } == all.map { Array($0.utf8) })
    }
  }

  /// Escaped JSON parses to the same value.
  @Test(arguments: 1...200) func escapedJSONIsTheSame(seed: Int) throws {
    var generator = SeededGenerator(seed: UInt64(seed))
    let scalars = (0..<40).map { _ -> Unicode.Scalar in
      if generator.one(in: 2) { return Self.unsafe.randomElement(using: &generator) ?? "a" }
      return Unicode.Scalar(UInt32.random(in: 0...0x1_FFFF, using: &generator)) ?? "\u{E000}"
    }
    let text = String(String.UnicodeScalarView(scalars))
    let json = JSONValue.object([.init(name: text, value: .array([.string(text), .number("1e3")]))])
    let escaped = ShownJSON.escaped(PrettyJSON.spread(json))
    #expect(try JSONValue(jsonUTF8: escaped).jsonUTF8 == json.jsonUTF8)
    #expect(dangers(in: String(decoding: escaped, as: UTF8.self)) == [])
    #expect(ShownJSON.escaped(escaped) == escaped)
  }

  @Test func harmlessJSONStaysAsItIs() {
    let json = JSONValue.string("aé中😀❤\u{FE0F}e\u{301} ½ \"\\ \n").jsonUTF8
    #expect(ShownJSON.escaped(json) == json)
  }

  @Test func cardsAndErrorsAreSafe() {
    for scalar in Self.unsafe where scalar != "\n" {
      let text = "a\(scalar)b"
      var profile = UserProfile(id: text, username: text, displayName: text)
      (profile.bio, profile.location, profile.website, profile.email) = (text, text, text, text)
      let card = ProfileCard(profile: profile, times: TimeText(.iso))
      let error = APIError(.serverError, text, server: ServerError(code: text, message: text))
      let failure = Failure(error, baseURL: "http://localhost")
      let shown = card.lines + [card.name, failure.message.displayed, text.displayed]
      for line in shown { #expect(dangers(in: line) == [], "\(String(scalar.value, radix: 16))") }
    }
  }

  // MARK: The program

  private func server(_ body: JSONValue, status: Int = 200) throws -> FaultServer {
    let answer = FaultServer.Step.answer(status: status, body: String(decoding: body.jsonUTF8, as: UTF8.self))
    return try FaultServer([answer], then: .lastRepeats)
  }

  private func followers(_ ids: [String]) -> JSONValue {
    .object([
      .init(name: "user_ids", value: .array(ids.map(JSONValue.string))),
      .init(name: "total_count", value: .number("\(ids.count)")),
    ])
  }

  @Test(arguments: ["table", "json", "ndjson"]) func aTerminalIsNotSteered(format: String) async throws {
    let server = try server(followers(Self.unsafe.flatMap(ids)))
    defer { server.stop() }
    let terminal = try PseudoTerminal(["followers", "u", "-o", format, "--base-url", server.url])
    #expect(try await terminal.status() == 0)
    try await terminal.wait(for: format == "table" ? "e007f" : "\\udb40\\udc7f")
    // The program's own: the terminal's line ends, and bold headings.
    let own = ["\r\n", "\u{1B}[1m", "\u{1B}[0m"]
    let text = own.reduce(terminal.output) { $0.replacing($1, with: "\n") }
    #expect(dangers(in: text) == [])
  }

  @Test func aScriptIsNotFooled() async throws {
    let server = try server(followers(["good", "evil\nforged"]))
    defer { server.stop() }
    let run = try await nova("followers", "u", "-o", "ids", "--base-url", server.url)
    #expect(run.status == 65)
    #expect(run.output == "")
    #expect(run.errors.contains(#"cannot list IDs: "evil\u{a}forged" contains a control character"#))
    #expect(run.errors.contains("--output ndjson"))
  }

  @Test func errorsAreSafe() async throws {
    for start in stride(from: 0, to: Self.unsafe.count, by: 60) {
      let part = String(String.UnicodeScalarView(Self.unsafe[start..<min(start + 60, Self.unsafe.count)]))
      let server = try server(.object([.init(name: "message", value: .string(part))]), status: 400)
      defer { server.stop() }
      let run = try await nova("followers", "u", "--explain", "--verbose", "--base-url", server.url)
      #expect(run.errors.contains("nova: invalid argument: "))
      #expect(dangers(in: run.errors) == [])
    }
  }

  @Test func decodedJSONIsSafeOnATerminal() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(followers(["a\u{9B}31m\u{202E}b\u{7F}\u{2028}"]).jsonUTF8).write(to: file)
    let terminal = try PseudoTerminal(["decode", "GetFollowersResponse", file.path])
    #expect(try await terminal.status() == 0)
    try await terminal.wait(for: #""a\u009b31m\u202eb\u007f\u2028""#)
  }
}
