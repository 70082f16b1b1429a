import NovaAnnouncements
import NovaAuth
import NovaCapture
import NovaContent
import NovaCore
import NovaFeed
import NovaMedia
import NovaSocial
import NovaUsers

// The rules of the contract for the records of each entity.

extension UserProfile: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("id", id))
    rules.username(username)
    rules.inOrder(createdAt: createdAt, updatedAt: updatedAt)
    rules.notNegative(
      ("follower_count", followerCount), ("following_count", followingCount), ("post_count", postCount))
  }
}

extension UserSettings: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("user_id", userId))
    rules.inOrder(createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension User: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("id", id))
    rules.username(username)
    rules.require(email.contains("@"), "email is \"\(email)\"; expected an e-mail address")
  }
}

extension FollowRecord: FixtureRecord {
  func check(_ rules: inout Rules) { rules.edge(from: ("follower_id", followerId), to: ("followee_id", followeeId)) }
}

extension BlockRecord: FixtureRecord {
  func check(_ rules: inout Rules) { rules.edge(from: ("blocker_id", blockerId), to: ("blocked_id", blockedId)) }
}

extension MuteRecord: FixtureRecord {
  func check(_ rules: inout Rules) { rules.edge(from: ("muter_id", muterId), to: ("mutee_id", muteeId)) }
}

extension Post: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("id", id), ("creator_id", creatorId))
    rules.asRequested("content", in: CreatePostRequest(content: content))
    rules.inOrder(createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension Like: FixtureRecord {
  func check(_ rules: inout Rules) { rules.present(("id", id), ("user_id", userId), ("post_id", postId)) }
}

extension Comment: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("id", id), ("post_id", postId), ("creator_id", creatorId))
    rules.asRequested("content", in: CreateCommentRequest(content: content))
    rules.require(parentCommentId != id, "parent_comment_id is the comment's own id")
    rules.inOrder(createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension ShareRecord: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("user_id", userId), ("post_id", postId))
    rules.require(
      Self.types.contains(shareType),
      "share_type is \"\(shareType)\"; expected one of \(Self.types.joined(separator: ", "))")
  }

  /// The values of `share_type`.
  static let types = ["repost", "story", "dm"]
}

extension BookmarkRecord: FixtureRecord {
  func check(_ rules: inout Rules) { rules.present(("user_id", userId), ("post_id", postId)) }
}

extension Upload: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("id", id), ("user_id", userId))
    rules.require(
      (0...max(0, fileSize)).contains(uploadedSize),
      "uploaded_size is \(uploadedSize); expected 0 to file_size, which is \(fileSize)")
  }
}

extension Video: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("id", id), ("creator_id", creatorId))
    rules.notNegative(("duration_seconds", durationSeconds))
  }
}

extension Reel: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("id", id), ("creator_id", creatorId))
    rules.notNegative(("duration_seconds", durationSeconds))
    rules.inOrder(createdAt: createdAt, updatedAt: updatedAt)
  }
}

extension Something: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.require(id > 0, "id is \(id); expected 1 or more")
    rules.present(("user_id", userId))
    if contentType == "text" { rules.asRequested("content", in: CreateSomethingRequest(content: content ?? "")) }
    if let createdAt, let updatedAt { rules.require(createdAt <= updatedAt, "updated_at is before created_at") }
  }
}

extension Announcement: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("id", id))
    rules.degrees("location_latitude", locationLatitude, in: -90...90)
    rules.degrees("location_longitude", locationLongitude, in: -180...180)
  }
}

extension FeedRecord: FixtureRecord {
  func check(_ rules: inout Rules) {
    rules.present(("user_id", userId))
    for (post, next) in zip(posts, posts.dropFirst()) {
      rules.require(
        post.rankingScore >= next.rankingScore,
        "\(next.id) ranks \(next.rankingScore), above \(post.id) with \(post.rankingScore); expected the best first")
    }
    for post in posts { rules.present(("posts.id", post.id)) }
  }
}

extension Rules {
  fileprivate mutating func degrees(_ field: String, _ value: Double?, in range: ClosedRange<Double>) {
    require(
      value.map(range.contains) ?? false,
      "\(field) is \(value.map { "\($0)" } ?? "missing"); expected \(Int(range.lowerBound)) to \(Int(range.upperBound))"
    )
  }

  fileprivate mutating func username(_ value: String) {
    let isPlain = value.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }
    require(isPlain, "username is \"\(value)\"; expected only A-Z, a-z, 0-9 and _")
    asRequested("username", in: RegisterRequest(username: value))
  }
}
