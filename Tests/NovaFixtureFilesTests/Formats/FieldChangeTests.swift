import Foundation
import NovaCore
import Testing

@testable import NovaFixtureFiles
@testable import NovaFixtures

/// Another way to make one field changes that field, and nothing else.
@Suite struct FieldChangeTests {
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
    let size = World.Size(users: 30, followsPerUser: 5)
    let usual = try await records(World(seed: Seed(7), unchecked: size))
    let changed = try await records(World(seed: Seed(7), unchecked: size, changing: field))
    var fields: Set<String> = []
    for (entity, lines) in usual {
      // Lists have an order by time, so the records of a list may change places.
      let (before, after) = (lines.sorted(by: Self.key), (changed[entity] ?? []).sorted(by: Self.key))
      #expect(before.count == after.count, "\(entity)")
      for (one, other) in zip(before, after) where one != other {
        for name in Self.names(one) where one[name] != other[name] { fields.insert("\(entity).\(name)") }
      }
    }
    #expect(fields.sorted() == expected)
  }

  /// Every record of every entity.
  private func records(_ world: World) async throws -> [String: [JSONValue]] {
    let options = try FixtureOptions(world)
    return try await withDirectory { path in
      try FixtureSet(options).write(to: "\(path)/set")
      var records: [String: [JSONValue]] = [:]
      for entity in FixtureEntity.allCases {
        records[entity.rawValue] = try text("\(path)/set/\(entity.rawValue).ndjson").split(separator: "\n").map {
          try JSONValue(jsonUTF8: Array($0.utf8))
        }
      }
      return records
    }
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
