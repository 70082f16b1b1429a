import Foundation
import NovaCore
import Testing

@testable import NovaFixtureFiles
@testable import NovaFixtures

/// Another way to make one field changes that field, and nothing else.
@Suite struct FieldChangeTests {
  private static let size = World.Size(users: 30, followsPerUser: 5)
  /// The files of the world that nothing changes, made once for all fields.
  private static let usual = Task {
    try await FieldChangeTests.files(of: World(seed: Seed(7), unchecked: FieldChangeTests.size))
  }

  @Test(arguments: [
    (Field.bio, ["users.bio"]),
    (.location, ["users.location"]),
    (.darkMode, ["settings.dark_mode"]),
    (.postTitle, ["posts.title"]),
    // Feeds show posts.
    (.postContent, ["feeds.posts", "posts.content"]),
    (.likeTime, ["likes.created_at"]),
    (.commentContent, ["comments.content"]),
    (.commentAnswered, ["comments.parent_comment_id"]),
    (.shareType, ["shares.share_type"]),
    (.videoTitle, ["videos.title"]),
    (.reelCaption, ["reels.caption"]),
    (.somethingNovelty, ["somethings.noveltyScore"]),
    (.petName, ["announcements.petName"]),
    (.bookmarkTime, ["bookmarks.created_at"]),
    (.followTime, ["follows.created_at"]),
  ])
  func nothingElseChanges(_ field: Field, _ expected: [String]) async throws {
    let changed = try await Self.files(of: World(seed: Seed(7), unchecked: Self.size, changing: field))
    var fields: Set<String> = []
    // Files with the same bytes have the same records, which need not be read.
    for (entity, usual) in try await Self.usual.value where changed[entity] != usual {
      // Lists have an order by time, so the records of a list may change places.
      let (before, after) = try (Self.records(usual), Self.records(changed[entity] ?? []))
      #expect(before.count == after.count, "\(entity)")
      for (one, other) in zip(before, after) where one != other {
        for name in Self.names(one) where one[name] != other[name] { fields.insert("\(entity).\(name)") }
      }
    }
    #expect(fields.sorted() == expected)
  }

  /// The file of every entity.
  private static func files(of world: World) async throws -> [String: [UInt8]] {
    let options = try FixtureOptions(world)
    return try await withDirectory { path in
      try FixtureSet(options).write(to: "\(path)/set")
      var files: [String: [UInt8]] = [:]
      for entity in FixtureEntity.allCases {
        files[entity.rawValue] = try bytes("\(path)/set/\(entity.rawValue).ndjson")
      }
      return files
    }
  }

  /// Every record of a file, by its key.
  private static func records(_ file: [UInt8]) throws -> [JSONValue] {
    try file.split(separator: UInt8(ascii: "\n")).map { try JSONValue(jsonUTF8: Array($0)) }.sorted(by: key)
  }

  private static func names(_ value: JSONValue) -> [String] {
    guard case .object(let members) = value else { return [] }
    return members.map(\.name)
  }

  /// The records by their key.
  private static func key(_ one: JSONValue, _ other: JSONValue) -> Bool { key(one) < key(other) }

  private static func key(_ value: JSONValue) -> String {
    ["id", "follower_id", "followee_id", "user_id", "userId", "post_id"].compactMap { value[$0]?.stringValue }
      .joined(separator: " ")
  }
}
