import NovaFeed

extension FollowRecord: FixtureRecord {
  var brokenRule: String? {
    Rules.check { $0.edge(from: ("follower_id", followerId), to: ("followee_id", followeeId)) }
  }
}

extension BlockRecord: FixtureRecord {
  var brokenRule: String? { Rules.check { $0.edge(from: ("blocker_id", blockerId), to: ("blocked_id", blockedId)) } }
}

extension MuteRecord: FixtureRecord {
  var brokenRule: String? { Rules.check { $0.edge(from: ("muter_id", muterId), to: ("mutee_id", muteeId)) } }
}

extension ShareRecord: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("user_id", userId)
      rules.present("post_id", postId)
      rules.oneOf("share_type", shareType, among: ["repost", "story", "dm"])
    }
  }
}

extension BookmarkRecord: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("user_id", userId)
      rules.present("post_id", postId)
    }
  }
}

extension FeedRecord: FixtureRecord {
  var brokenRule: String? {
    Rules.check { rules in
      rules.present("user_id", userId)
      for (post, next) in zip(posts, posts.dropFirst()) {
        rules.require(
          post.rankingScore >= next.rankingScore,
          "\(next.id) ranks \(next.rankingScore), above \(post.id) with \(post.rankingScore); expected the best first")
      }
      for post in posts { rules.present("posts.id", post.id) }
    }
  }
}
