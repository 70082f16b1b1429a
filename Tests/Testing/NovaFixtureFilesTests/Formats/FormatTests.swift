import NovaAuth
import NovaContent
import NovaCore
import NovaFixtures
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

@testable import NovaFixtureFiles

/// What others read of what is written.
@Suite struct FormatTests {
  @Test func jsonIsOneArray() async throws {
    try await withDirectory { path in
      try smallSet(formats: [.json, .ndjson]).write(to: "\(path)/set")
      for entity in FixtureEntity.allCases {
        let array = try JSONValue(jsonUTF8: bytes("\(path)/set/\(entity.rawValue).json"))
        let lines = try text("\(path)/set/\(entity.rawValue).ndjson").split(separator: "\n").map {
          try JSONValue(jsonUTF8: Array($0.utf8))
        }
        #expect(array == .array(lines), "\(entity)")
      }
    }
  }

  @Test func recordsAreThoseOfTheWorld() async throws {
    try await withDirectory { path in
      let set = try smallSet()
      try set.write(to: "\(path)/set")
      let world = try World(seed: set.options.seed, size: set.options.size)
      let users = try text("\(path)/set/users.ndjson").split(separator: "\n").map {
        try UserProfile(jsonUTF8: Array($0.utf8))
      }
      #expect(users == (0..<20).map { world.user(at: $0) })
      let follows = try text("\(path)/set/follows.ndjson").split(separator: "\n").map {
        try FollowRecord(jsonUTF8: Array($0.utf8))
      }
      #expect(follows.count == users.reduce(0) { $0 + $1.followingCount })
    }
  }

  /// What a record looks like in each dialect.
  @Test(arguments: [
    (FixtureDialect.wire, #""created_at":1633000000,"is_active":false}"#),
    (.canonical, #""createdAt":"1633000000","isActive":false}"#),
    (.camel, #""createdAt":1633000000,"isActive":false}"#),
    (.defaultsOmitted, #""created_at":1633000000}"#),
    (.legacyTimes, #""created_at":"2021-09-30 11:06:40","is_active":false}"#),
  ])
  func dialectsDiffer(_ dialect: FixtureDialect, _ ending: String) throws {
    var output: [UInt8] = []
    let tables = JSONTables(dialect, .ndjson)
    var account = try World(seed: Seed(1), users: 1).account(at: 0)
    account.createdAt = 1_633_000_000
    account.isActive = false
    try tables.append(account, of: .accounts, isFirst: true, to: &output)
    #expect(
      String(decoding: output, as: UTF8.self).hasSuffix("\(ending)\n"), "\(String(decoding: output, as: UTF8.self))")
  }

  @Test func legacyTimesReachEveryTime() async throws {
    try await withDirectory { path in
      try smallSet(formats: [.ndjson], dialect: .legacyTimes).write(to: "\(path)/set")
      for name in ["somethings", "announcements"] {
        let line = try #require(text("\(path)/set/\(name).ndjson").split(separator: "\n").first)
        let record = try JSONValue(jsonUTF8: Array(line.utf8))
        let time = try #require(record["updatedAt"]?.stringValue)
        #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/) != nil, "\(time)")
      }
    }
  }

  @Test func protocDecodesBinary() async throws {
    try await withDirectory { path in
      let manifest = try smallSet(formats: [.protoBinary]).write(to: "\(path)/set")
      for entity in FixtureEntity.allCases {
        let message = "\(SchemaText.package).\(SchemaText.fileMessage(entity))"
        let file = "\(entity.rawValue).binpb"
        let result = try await run(
          "protoc", ["--decode=\(message)", "fixtures.proto"], in: "\(path)/set", input: file)
        #expect(result.status == 0, "\(file): \(result.errors)")
        let count = result.output.split(separator: "\n").count { $0 == "\(entity.rawValue) {" }
        #expect(count == manifest.files.first { $0.name == file }?.records, "\(file)")
        // Unknown fields appear as numbers.
        #expect(!result.output.split(separator: "\n").contains { $0.drop { $0 == " " }.first?.isNumber == true })
      }
    }
  }

  /// What protoc makes of its own text form is what we write.
  @Test func protocEncodesTheSameBytes() async throws {
    try await withDirectory { path in
      try smallSet(formats: [.protoBinary]).write(to: "\(path)/set")
      for (entity, message) in [
        ("posts", "Posts"), ("reels", "Reels"), ("somethings", "Somethings"), ("feeds", "Feeds"),
      ] {
        let name = "\(SchemaText.package).\(message)"
        let command =
          "protoc --decode=\(name) fixtures.proto < \(entity).binpb | protoc --encode=\(name) fixtures.proto | cmp - \(entity).binpb"
        let result = try await run("/bin/sh", ["-c", command], in: "\(path)/set")
        #expect(result.status == 0, "\(entity): \(result.output)\(result.errors)")
      }
    }
  }

  @Test func csvKeepsEveryText() async throws {
    try await withDirectory { path in
      let set = try smallSet(formats: [.csv])
      try set.write(to: "\(path)/set")
      let world = try World(seed: set.options.seed, size: set.options.size)
      let rows = CSV.rows(try text("\(path)/set/users.csv"))
      #expect(rows.first?.prefix(3) == ["id", "username", "email"])
      #expect(rows.count == 21 && rows.allSatisfy { $0.count == UserProfile.descriptor.fields.count })
      #expect(rows.dropFirst().map { $0[4] } == (0..<20).map { world.user(at: $0).bio })
    }
  }

  @Test(arguments: [
    ("plain", "plain"), ("", "\"\""), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
    ("a\r\nb", "\"a\r\nb\""),
    ("سلام 👩‍👩‍👧", "سلام 👩‍👩‍👧"),
  ])
  func csvQuotesSpecialCharacters(_ content: String, _ cell: String) {
    var output: [UInt8] = []
    let comment = Comment(id: "c", postId: "p", creatorId: "u", content: content, createdAt: -5)
    CSVTables().append(comment, of: .comments, isFirst: true, to: &output)
    #expect(String(decoding: output, as: UTF8.self).hasPrefix("c,p,u,\(cell),\"\",-5,0"))
  }

  @Test func csvDistinguishesAbsentFromEmpty() {
    var output: [UInt8] = []
    let user = UserProfile(id: "u", username: "n", bio: "")
    CSVTables().append(user, of: .users, isFirst: true, to: &output)
    #expect(String(decoding: output, as: UTF8.self).hasPrefix("u,n,,,\"\",,,,,false,"))
    output = []
    let post = Post(id: "p", creatorId: "u", content: "x", mediaIds: ["a", "b\""])
    CSVTables().append(post, of: .posts, isFirst: true, to: &output)
    #expect(String(decoding: output, as: UTF8.self).hasSuffix(#""[""a"",""b\""""]""# + "\r\n"))
  }
}

/// A parser for RFC 4180 that distinguishes absent from empty values.
enum CSV {
  static func rows(_ text: String) -> [[String?]] {
    var (rows, row, cell, isQuoted, wasQuoted): ([[String?]], [String?], String, Bool, Bool) = (
      [], [], "", false, false
    )
    var scalars = text.unicodeScalars.makeIterator()
    var next = scalars.next()
    while let scalar = next {
      next = scalars.next()
      switch scalar {
      case "\"" where isQuoted && next == "\"":
        cell.unicodeScalars.append(scalar)
        next = scalars.next()
      case "\"":
        isQuoted.toggle()
        wasQuoted = true
      case "," where !isQuoted, "\n" where !isQuoted:
        row.append(cell.isEmpty && !wasQuoted ? nil : cell)
        (cell, wasQuoted) = ("", false)
        if scalar == "\n" {
          rows.append(row)
          row = []
        }
      case "\r" where !isQuoted: break
      default: cell.unicodeScalars.append(scalar)
      }
    }
    return rows
  }
}
