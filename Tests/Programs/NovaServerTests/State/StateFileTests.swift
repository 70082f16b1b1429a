import Foundation
import NovaCore
import NovaMock
import NovaTestSupport
import Testing

@testable import NovaServer

/// What is done to a state file besides writing it: cutting, damaging, replacing.
@Suite struct StateFileTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
  private var path: String { folder.appendingPathComponent("state").path }

  /// Runs `body` with an empty folder.
  private func inFolder(_ body: () async throws -> Void) async throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body()
  }

  private struct Opened {
    let backend = MockBackend(dataSet: .empty, now: { 1_764_585_000 })
    let file: StateFile
    private let warned: Locked<[String]>

    var warnings: [String] { warned.withLock { $0 } }

    init(_ path: String) throws {
      (file, warned) = try StateFile.opening(path, of: backend)
    }

    func call(_ path: String, _ body: String) async throws -> String {
      let response = try await backend.answer(
        HTTPRequest(method: .post, url: "/api/v1/graph/\(path)", body: Array(body.utf8)))
      return String(decoding: response.body.inMemory, as: UTF8.self)
    }

    func follow(_ user: String) async throws {
      let answer = try await call("follow", #"{"follower_id":"\#(user)","followee_id":"z"}"#)
      #expect(answer.contains(#""success":true"#), "\(answer)")
    }

    /// Who follows, the first one first.
    func followers() async throws -> [String] {
      let answer = try await call("followers", #"{"user_id":"z","limit":1000}"#)
      return try GetFollowers(answer).users.reversed()
    }
  }

  private struct GetFollowers {
    let users: [String]

    init(_ json: String) throws {
      guard case .array(let values) = try JSONValue(jsonUTF8: Array(json.utf8))["user_ids"] else {
        users = []
        return
      }
      users = values.compactMap(\.stringValue)
    }
  }

  private static let users = (0..<20).map { "user-\($0)" }

  /// A file with a line for each user.
  private func makeFile() async throws -> Data {
    let opened = try Opened(path)
    for user in Self.users { try await opened.follow(user) }
    return try #require(bytes(path))
  }

  private func bytes(_ path: String) -> Data? { try? Data(contentsOf: URL(fileURLWithPath: path)) }

  private func write(_ data: Data, to path: String) throws { try data.write(to: URL(fileURLWithPath: path)) }

  private func mode(_ path: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
  }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? [] }

  /// The lines of a file, each with its end.
  private func lines(_ data: Data) -> [Data] {
    data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast().map { $0 + [10] }
  }

  /// What is written to a file without a name is gone with the process, and what is written after a gap cannot be read.
  @Test(arguments: ForeignStateChange.all)
  func changesAreRefusedOnceTheFileIsNotThere(_ foreign: ForeignStateChange) async throws {
    try await inFolder {
      let opened = try Opened(path)
      try await opened.follow("a")
      try foreign.change(path, "\(path).other")
      let (changed, target) = (bytes(path), bytes("\(path).other"))
      for _ in 1...2 {
        let answer = try await opened.call("follow", #"{"follower_id":"b","followee_id":"z"}"#)
        #expect(answer.contains(foreign.testDescription) && answer.contains("restart nova serve"), "\(answer)")
      }
      // Nothing that is not stored was done, and everything can still be read.
      #expect(try await opened.followers() == ["a"])
      let reset = HTTPRequest(method: .post, url: HTTPURL(received: "/_nova/reset"))
      #expect(await AdminAPI(opened.backend).respond(to: reset).status == 503)
      #expect(try await opened.followers() == ["a"])
      #expect(bytes(path) == changed && bytes("\(path).other") == target, "nobody's bytes are changed")
      #expect(
        opened.warnings.count == 1
          && opened.warnings[0].contains("the state file \(path) was \(foreign.testDescription)"),
        "\(opened.warnings)")
      guard let undo = foreign.undo else { return }
      try undo(path, "\(path).other")
      try await opened.follow("b")
      #expect(try await opened.followers() == ["a", "b"])
      #expect(opened.warnings.count == 2 && opened.warnings[1].contains("is back"), "\(opened.warnings)")
    }
  }

  /// What changes neither the place nor the content of a file.
  @Test func harmlessChangesAreNotNoticed() async throws {
    try await inFolder {
      let opened = try Opened(path)
      try await opened.follow("a")
      #expect(chmod(path, 0o640) == 0 && utimes(path, nil) == 0 && link(path, "\(path).link") == 0)
      try await opened.follow("b")
      #expect(try await opened.followers() == ["a", "b"] && opened.warnings.isEmpty)
    }
  }

  /// Each event counts once, also after a restart.
  @Test func analyticsEventsSurviveARestart() async throws {
    func record(_ ids: [String], in opened: Opened) async throws -> Int? {
      let events = ids.map {
        #"{"id":"\#($0)","name":"post_opened","user_id":"u","session_id":"s","occurred_at_ms":1}"#
      }
      let response = try await opened.backend.answer(
        HTTPRequest(
          method: .post, url: "/api/v1/analytics/record",
          body: Array(#"{"events":[\#(events.joined(separator: ","))]}"#.utf8)))
      return try JSONValue(jsonUTF8: response.body.inMemory)["accepted_count"]?.integerValue
    }
    try await inFolder {
      #expect(try await record(["a", "b"], in: try Opened(path)) == 2)
      #expect(try await record(["b", "c"], in: try Opened(path)) == 1)
      let opened = try Opened(path)
      #expect(opened.backend.counts.analyticsEvents == 3 && opened.backend.analyticsEvents.count == 3)
      #expect(opened.warnings.isEmpty)
    }
  }

  /// An incomplete line's change was never confirmed to a client.
  @Test func anUnfinishedLastLineIsDropped() async throws {
    try await inFolder {
      let whole = try await makeFile()
      let lines = lines(whole)
      var random = SeededGenerator(seed: 16)
      for _ in 0..<60 {
        let length = Int.random(in: lines[0].count...whole.count, using: &random)
        try write(whole.prefix(length), to: path)
        var (ends, end) = ([Int](), 0)
        for line in lines {
          end += line.count
          ends.append(end)
        }
        // A line that lost only its line break is whole.
        let kept = ends.filter { $0 <= length + 1 }.count - 1
        let rest = length - (ends.last { $0 <= length + 1 } ?? 0)
        let opened = try Opened(path)
        #expect(try await opened.followers() == Array(Self.users.prefix(kept)), "cut at \(length)")
        #expect(opened.warnings.count == (rest > 0 ? 1 : 0) && names == ["state"], "cut at \(length)")
        let size = " incomplete line \(kept + 2), and its \(rest) byte"
        #expect(opened.warnings.allSatisfy { $0.contains(size) }, "\(opened.warnings)")
        try await opened.follow("later")
      }
    }
  }

  @Test func aLastLineWithoutItsLineBreakIsKeptAndTerminated() async throws {
    try await inFolder {
      let whole = try await makeFile()
      try write(whole.dropLast(), to: path)
      do {
        let opened = try Opened(path)
        #expect(try await opened.followers() == Self.users)
        #expect(opened.warnings.isEmpty && bytes(path) == whole)
      }
      var lines = lines(whole)
      lines[3] = Data("garbage\n".utf8)
      try write(Data(lines.joined().dropLast()), to: path)
      let opened = try Opened(path)
      #expect(try await opened.followers().count == Self.users.count - 1)
      lines.remove(at: 3)
      #expect(bytes(path) == Data(lines.joined()))
    }
  }

  /// What is neither a line nor the beginning of one is reported and kept.
  @Test func aForeignTailIsReportedAndKept() async throws {
    try await inFolder {
      let whole = try await makeFile()
      let last = try #require(lines(whole).last).dropLast()
      let text = Data("my thesis".utf8)
      let tails: [Data] = [
        Data([UInt8(ascii: "x")]), Data([0]), text, text + last, Data(count: 5 << 20),
        last.prefix(20) + Data(count: 99),
        last + text, Data("\r".utf8), last + Data("}".utf8), Data("00000000 {}".utf8), Data("00000000 []".utf8),
      ]
      for (index, tail) in tails.enumerated() {
        let damaged = whole + tail
        try write(damaged, to: path)
        let opened = try Opened(path)
        #expect(try await opened.followers() == Self.users, "tail \(index)")
        #expect(opened.warnings.count == 1 && opened.warnings[0].contains("damaged in line 22: "), "\(opened.warnings)")
        #expect(bytes("\(path).damaged-\(index + 1)") == damaged, "tail \(index)")
        #expect(bytes(path) == whole, "tail \(index)")
      }
      // The last line break turned into another byte.
      try write(whole.dropLast() + text.prefix(1), to: path)
      let opened = try Opened(path)
      #expect(opened.warnings.count == 1 && opened.warnings[0].contains("damaged in line 21: "), "\(opened.warnings)")
      #expect(bytes("\(path).damaged-\(tails.count + 1)") == whole.dropLast() + text.prefix(1))
    }
  }

  /// Complete lines were confirmed: damaged ones are reported and kept, and nothing else is lost.
  @Test func damagedLinesAreReportedAndKept() async throws {
    try await inFolder {
      let whole = lines(try await makeFile())
      var random = SeededGenerator(seed: 17)
      for round in 1...40 {
        var lines = whole
        let hit = Set(
          (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 1..<lines.count, using: &random) })
        for index in hit {
          let place = Int.random(in: 0..<lines[index].count - 1, using: &random)
          var byte = UInt8.random(in: 0...255, using: &random)
          if byte == 10 || byte == lines[index][lines[index].startIndex + place] { byte = 0x7f }
          lines[index][lines[index].startIndex + place] = byte
        }
        let damaged = Data(lines.joined())
        try write(damaged, to: path)
        let opened = try Opened(path)
        let kept = Self.users.enumerated().filter { !hit.contains($0.offset + 1) }.map(\.element)
        #expect(try await opened.followers() == kept, "round \(round), damaged \(hit)")
        let named = hit.sorted().map { String($0 + 1) }.joined(separator: ", ")
        #expect(opened.warnings.count == 1)
        #expect(opened.warnings.first?.contains("damaged in line\(hit.count == 1 ? "" : "s") \(named): ") == true)
        #expect(opened.warnings.first?.hasSuffix("is kept as \(path).damaged-\(round)") == true, "\(opened.warnings)")
        #expect(bytes("\(path).damaged-\(round)") == damaged, "nothing is written over")
        try await opened.follow("later")
        #expect(mode(path) == 0o600 && mode("\(path).damaged-\(round)") == 0o600)
      }
      #expect(names.count == 41, "nothing else is left: \names")
      #expect(bytes(path)?.isEmpty == false)
    }
  }

  @Test func aRepairedFileIsWhole() async throws {
    try await inFolder {
      var lines = lines(try await makeFile())
      lines[5] = Data("garbage\n".utf8)
      lines[6] = Data("\n".utf8)
      try write(Data(lines.joined()), to: path)
      do {
        let first = try Opened(path)
        #expect(first.warnings.first?.contains("damaged in lines 6, 7: ") == true, "\(first.warnings)")
        #expect(throws: StateFileError.self, "it is locked under its name") { try Opened(path) }
        try await first.follow("later")
        // The journal holds on to the file.
        first.backend.reset()
      }
    }
  }

  @Test func aRepairedFileIsReadWithoutAWord() async throws {
    try await inFolder {
      var lines = lines(try await makeFile())
      lines[5] = Data("garbage\n".utf8)
      try write(Data(lines.joined()), to: path)
      do { _ = try Opened(path) }
      let second = try Opened(path)
      #expect(second.warnings.isEmpty)
      #expect(try await second.followers().count == Self.users.count - 1)
    }
  }

  private static let foreign = ["my thesis\n", "my thesis", "{\"nova_state\":1}\n", "\n", "00000000 {}\n"]

  @Test(arguments: foreign) func filesOfOthersAreLeftAlone(_ text: String) async throws {
    try await inFolder {
      try write(Data(text.utf8), to: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      #expect { try Opened(path) } throws: { "\($0)".contains("is not a state of nova serve") }
      #expect(bytes(path) == Data(text.utf8) && mode(path) == 0o644 && names == ["state"])
    }
  }

  /// A first line that cannot be read says nothing about what follows.
  @Test func aDamagedFirstLineChangesNothing() async throws {
    try await inFolder {
      var data = try await makeFile()
      data[12] ^= 1
      try write(data, to: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
      #expect { try Opened(path) } throws: { "\($0)".contains("or its first line is damaged") }
      #expect(bytes(path) == data && mode(path) == 0o640 && names == ["state"])
    }
  }

  @Test func aStateOfOthersIsMadePrivateOnceItIsKnownToBeOurs() async throws {
    try await inFolder {
      let data = try await makeFile()
      for content in [data, Data()] {
        try write(content, to: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        _ = try Opened(path)
        #expect(mode(path) == 0o600)
      }
    }
  }

  @Test func linksAreNotFollowed() async throws {
    try await inFolder {
      let data = try await makeFile()
      let target = folder.appendingPathComponent("target").path
      for content in [data, Data("my thesis\n".utf8), Data()] {
        try write(content, to: target)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: target)
        let link = folder.appendingPathComponent("link-\(content.count)").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: target)
        #expect { try Opened(link) } throws: { "\($0)".contains("is a symbolic link") }
        #expect(bytes(target) == content && mode(target) == 0o644)
      }
      let dangling = folder.appendingPathComponent("dangling").path
      try FileManager.default.createSymbolicLink(atPath: dangling, withDestinationPath: target + "-new")
      #expect(throws: StateFileError.self) { try Opened(dangling) }
      #expect(!FileManager.default.fileExists(atPath: target + "-new"))
      let loop = folder.appendingPathComponent("loop").path
      try FileManager.default.createSymbolicLink(atPath: loop, withDestinationPath: loop)
      #expect(throws: StateFileError.self) { try Opened(loop) }
    }
  }

  @Test func onlyRegularFilesWillDo() async throws {
    try await inFolder {
      #expect(throws: StateFileError.self) { try Opened(folder.path) }
      #expect(mkfifo(path, 0o644) == 0)
      #expect { try Opened(path) } throws: { "\($0)".contains("is not a regular file") }
      #expect(mode(path) == 0o644)
      #expect(throws: StateFileError.self) { try Opened("/dev/null") }
      #expect(mode("/dev/null") == 0o666)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
  func filesOfOtherUsersAreLeftAlone() async throws {
    try await inFolder {
      let data = try await makeFile()
      #expect(chown(path, 65_534, 65_534) == 0 && chmod(path, 0o644) == 0)
      #expect { try Opened(path) } throws: { "\($0)".contains("belongs to another user") }
      #expect(bytes(path) == data && mode(path) == 0o644)
    }
  }
}
