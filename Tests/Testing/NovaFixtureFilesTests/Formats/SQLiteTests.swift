import NovaCore
import NovaCrypto
import NovaFixtureFiles
import NovaFixtures
import NovaTestSupport
import Testing

/// What the program sqlite3 makes of the database.
@Suite struct SQLiteTests {
  /// Digests of the dump, which does not depend on the version of SQLite.
  static let digests: [UInt64: String] = [
    1: "d9f6f2e23fd29832cc45fe761a55f59a739f2b136824be38a9a534d15f0c249a",
    42: "73b4c1092eaeccb69d84981fb165a62ba9b44de5fa655f576d819b929ec3635b",
    18446744073709551615: "6c2112ec3dba6cfb1726a3a6b160e362bee54c561dda8d8183bdef2994549f1e",
  ]

  private func sqlite(_ path: String, _ sql: String) async throws -> String {
    let result = try await run("sqlite3", ["fixtures.sqlite", sql], in: path)
    #expect(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test(arguments: [1, 42, UInt64.max])
  func theDatabaseIsSound(_ seed: UInt64) async throws {
    try await withDirectory { path in
      try smallSet(seed: seed, formats: [.sqlite]).write(to: "\(path)/set")
      #expect(try await sqlite("\(path)/set", "PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok\n")
      let rows = try await sqlite(
        "\(path)/set", FixtureEntity.allCases.map { "SELECT * FROM \($0.rawValue);" }.joined(separator: " "))
      let digest = Hexadecimal.encode(try SHA256.digest(of: Array(rows.utf8)))
      let problem = try GoldenDigest.problem(of: "\(seed) sqlite", digest, expected: Self.digests[seed])
      #expect(problem == nil)
    }
  }

  @Test func referencesAreDeclared() async throws {
    try await withDirectory { path in
      try smallSet(formats: [.sqlite]).write(to: "\(path)/set")
      let keys = try await sqlite(
        "\(path)/set", "SELECT count(*) FROM sqlite_schema s, pragma_foreign_key_list(s.name)")
      #expect(keys == "25\n")
      let refusal = try await run(
        "sqlite3",
        ["fixtures.sqlite", "PRAGMA foreign_keys=ON; INSERT INTO blocks VALUES ('user-1', 'nobody')"], in: "\(path)/set"
      )
      #expect(refusal.status != 0 && refusal.errors.contains("FOREIGN KEY constraint failed"))
      let counts = try await sqlite(
        "\(path)/set",
        """
        SELECT count(*) FROM users u WHERE follower_count <>
          (SELECT count(*) FROM follows WHERE followee_id = u.id) OR following_count <>
          (SELECT count(*) FROM follows WHERE follower_id = u.id)
        """)
      #expect(counts == "0\n")
    }
  }

  @Test func referencesLeadOnlyToWhatIsThere() async throws {
    try await withDirectory { path in
      try smallSet(formats: [.sqlite], dialect: .wire, entities: [.posts, .comments]).write(to: "\(path)/set")
      #expect(try await sqlite("\(path)/set", "PRAGMA foreign_key_check; SELECT count(*) FROM posts") == "60\n")
    }
  }
}
