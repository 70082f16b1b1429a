import Foundation
import NovaTestSupport
import Testing

@testable import NovaFixtureFiles

@Suite struct DiffTests {
  @Test func theFirstRecordsThatDifferAreNamed() async throws {
    try await withDirectory { path in
      for name in ["a", "b"] {
        try smallSet(formats: FixtureFormat.allCases, dialect: .wire, entities: [.users, .posts]).write(
          to: "\(path)/\(name)")
      }
      for file in ["users.ndjson", "users.json", "users.csv", "users.binpb"] {
        var changed = try bytes("\(path)/b/\(file)")
        let place = try #require(changed.firstRange(of: "user-3".utf8)).upperBound - 1
        changed[place] = UInt8(ascii: "x")
        try Data(changed).write(to: URL(filePath: "\(path)/b/\(file)"))
      }
      let differences = try FixtureDiff.run("\(path)/a", "\(path)/b")
      #expect(differences.map(\.file) == ["users.json", "users.ndjson", "users.binpb", "users.csv"])
      #expect(differences[0].details == [#"line 4: id: "user-3" | "user-x""#])
      #expect(differences[1].details == [#"line 3: id: "user-3" | "user-x""#])
      #expect(differences[2].details[0].hasPrefix("differs from byte "))
      #expect(differences[3].details[0].hasPrefix("line 4: user-3,"))
    }
  }

  @Test func otherOptionsAreNamedAndLongListsCut() async throws {
    try await withDirectory { path in
      try smallSet(seed: 1, users: 20, formats: [.ndjson], dialect: .wire, entities: [.users]).write(to: "\(path)/a")
      try smallSet(seed: 2, users: 21, formats: [.ndjson], dialect: .camel, entities: [.users, .posts]).write(
        to: "\(path)/b")
      let differences = try FixtureDiff.run("\(path)/a", "\(path)/b")
      #expect(
        differences.first?.details == [
          "seed: nova1:1 | nova1:2", "users: 20 | 21", "dialect: wire | camel", "entities: users | users, posts",
        ])
      // One field on each line.
      #expect(differences[1].details.dropLast().allSatisfy { $0.hasPrefix("line 1: ") })
      #expect(differences[1].details.count == 6)
      #expect(differences[1].details.last == "and 20 more of 21 lines")
      #expect(differences[2].file == "posts.ndjson" && differences[2].details == ["is only in the second"])
    }
  }

  @Test func longValuesAreCutAroundTheirFirstDifference() throws {
    let text = String(repeating: "a", count: 100)
    let directory = FileManager.default.temporaryDirectory.appending(path: "nova-diff-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    func file(_ name: String, _ bio: String) throws -> String {
      let url = directory.appending(path: name)
      try Data(#"{"bio":"\#(bio)"}"#.utf8).write(to: url)
      return url.path
    }
    let details = try LineComparison.run(file("a", text + "b" + text), file("b", text + "c"))
    let common = String(repeating: "a", count: 20)
    #expect(details.count == 1)
    #expect(details[0].hasPrefix(#"line 1: bio: "…\#(common)b"#), "\(details)")
    #expect(details[0].hasSuffix(#"…" | "…\#(common)c""#), "\(details)")
  }
}
