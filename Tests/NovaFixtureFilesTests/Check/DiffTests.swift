import Foundation
import NovaFixtureFiles
import NovaTestSupport
import Testing

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
      #expect(differences[1].details.last == "and 16 more of 21 lines")
      #expect(differences[2].file == "posts.ndjson" && differences[2].details == ["is only in the second"])
    }
  }
}
