import Foundation
import NovaCore
import NovaFixtures
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaFixtureFiles

@Suite struct CheckTests {
  @Test(arguments: FixtureDialect.allCases)
  func writtenSetsAreValid(_ dialect: FixtureDialect) async throws {
    try await withDirectory { path in
      let manifest = try smallSet(formats: [.json, .ndjson], dialect: dialect).write(to: "\(path)/set")
      let report = try FixtureCheck.run("\(path)/set")
      #expect(report.problems.isEmpty, "\(report.problems)")
      #expect(report.recordsRead == manifest.recordCount)
    }
  }

  /// Each change of a file is named with its place.
  @Test(arguments: [
    (#""username":"#, #""userName":"#, "users.ndjson:1: username must have 3 to 32 characters, but has 0"),
    (#""is_verified":false"#, #""is_verified":"no""#, "is_verified: expected true or false, found string \"no\""),
    (#""follower_count":"#, #""follower_count":-"#, "follower_count is -"),
    (#","bio":"#, #","surprise":1,"bio":"#, "does not match the dialect from column "),
    ("\n", " ", "users.ndjson:1: expected nothing after the value"),
  ])
  func changesAreNamed(part: String, other: String, expected: String) async throws {
    try await withDirectory { path in
      try smallSet(formats: [.ndjson], dialect: .wire, entities: [.users]).write(to: "\(path)/set")
      let before = try text("\(path)/set/users.ndjson")
      let range = try #require(before.range(of: part))
      let after = before.replacingCharacters(in: range, with: other)
      try Data(after.utf8).write(to: URL(filePath: "\(path)/set/users.ndjson"))
      let problems = try FixtureCheck.run("\(path)/set").problems.map(\.description)
      #expect(problems.first?.hasPrefix("users.ndjson: has ") == true, "\(problems)")
      #expect(problems.contains { $0.contains(expected) }, "\(problems)")
    }
  }

  @Test func filesAreCounted() async throws {
    try await withDirectory { path in
      try smallSet(formats: [.csv], dialect: .wire, entities: [.users, .posts]).write(to: "\(path)/set")
      try FileManager.default.removeItem(atPath: "\(path)/set/users.csv")
      try Data("x".utf8).write(to: URL(filePath: "\(path)/set/thesis.txt"))
      let problems = try FixtureCheck.run("\(path)/set").problems.map(\.description)
      #expect(problems == ["thesis.txt: is not in the manifest", "users.csv: is missing"])
    }
  }

  @Test(arguments: [
    ("", "invalid manifest"),
    ("{}", "kind is missing; expected \"nova-fixtures/1\""),
    (#"{"kind":"nova-fixtures/2"}"#, "kind is string \"nova-fixtures/2\"; expected \"nova-fixtures/1\""),
    (#"{"kind":"nova-fixtures/1","seed":7}"#, "seed is number 7; expected a seed such as nova1:42"),
    (#"{"kind":"nova-fixtures/1","seed":"nova9:1"}"#, "supported schemes are nova1"),
  ])
  func otherManifestsAreRefused(_ manifest: String, _ reason: String) async throws {
    try await withDirectory { path in
      try Data(manifest.utf8).write(to: URL(filePath: "\(path)/manifest.json"))
      let text = failure { _ = try FixtureCheck.run(path) }?.description ?? ""
      #expect(text.contains(reason), "\(text)")
    }
  }

  @Test func theWorldIsThatOfUnchangedFiles() async throws {
    try await withDirectory { path in
      let set = try smallSet(formats: [.csv], dialect: .wire, entities: [.users, .posts])
      try set.write(to: "\(path)/set")
      try FileManager.default.removeItem(atPath: "\(path)/set/posts.csv")
      let world = try FixtureCheck.world(of: "\(path)/set")
      #expect(world.seed == set.options.seed && world.size == set.options.size)
      try Data("x".utf8).write(to: URL(filePath: "\(path)/set/users.csv"))
      let text = failure { _ = try FixtureCheck.world(of: "\(path)/set") }?.description ?? ""
      #expect(text.contains("set/users.csv was changed since it was written"), "\(text)")
    }
  }

  @Test func namesThatLeadElsewhereAreRefused() async throws {
    try await withDirectory { path in
      try smallSet(formats: [.csv], dialect: .wire, entities: [.users]).write(to: "\(path)/set")
      for name in ["../users.csv", "/etc/passwd", "a//b", ""] {
        let manifest = try text("\(path)/set/manifest.json").replacing("\"users.csv\"", with: "\"\(name)\"")
        try Data(manifest.utf8).write(to: URL(filePath: "\(path)/set/manifest.json"))
        #expect(throws: FixtureError.self) { try FixtureManifest(reading: "\(path)/set") }
      }
    }
  }

  @Test func rulesAreNamed() {
    #expect(
      FollowRecord(followerId: "a", followeeId: "a", createdAt: 0).brokenRule?.hasPrefix("follower_id and") == true)
    #expect(UserProfile(id: "u", username: "añ").brokenRule?.hasPrefix("username is \"añ\"") == true)
    #expect(
      UserProfile(id: "u", username: "ada", createdAt: 2, updatedAt: 1).brokenRule
        == "updated_at is 1, before created_at, which is 2")
  }
}
