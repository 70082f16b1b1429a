import NovaAnnouncements
import NovaAuth
import NovaCapture
import NovaContent
public import NovaCore
import NovaFixtures
import NovaMedia
import NovaSocial
import NovaUsers

extension FixtureEntity {
  /// Passes the entity's stream to a visitor. Separate cases let the compiler specialize the visitor for each type.
  func accept<V: EntityVisitor>(_ visitor: inout V) throws(V.Failure) -> V.Result {
    switch self {
    case .users: try visitor.visit(self, .perUser { world, user in [world.user(at: user)] })
    case .settings: try visitor.visit(self, .perUser { world, user in [world.settings(at: user)] })
    case .accounts: try visitor.visit(self, .perUser { world, user in [world.account(at: user)] })
    case .follows: try visitor.visit(self, .perUser { world, user in world.followRecords(user) })
    case .blocks: try visitor.visit(self, .perUser { world, user in world.blockRecords(user) })
    case .mutes: try visitor.visit(self, .perUser { world, user in world.muteRecords(user) })
    case .posts: try visitor.visit(self, .perPost { world, post in [world.post(at: post)] })
    case .likes: try visitor.visit(self, .perPost { world, post in world.likes(ofPostAt: post) })
    case .comments: try visitor.visit(self, .perPost { world, post in world.comments(ofPostAt: post) })
    case .shares: try visitor.visit(self, .perPost { world, post in world.shareRecords(post) })
    case .bookmarks: try visitor.visit(self, .perUser { world, user in world.bookmarkRecords(user) })
    case .videos: try visitor.visit(self, .perUser { world, user in world.videos(ofUserAt: user) })
    case .uploads: try visitor.visit(self, .perUser { world, user in world.uploads(ofUserAt: user) })
    case .reels: try visitor.visit(self, .perUser { world, user in world.reels(ofUserAt: user) })
    case .somethings: try visitor.visit(self, .perUser { world, user in world.somethings(ofUserAt: user) })
    case .announcements:
      try visitor.visit(
        self, EntityStream({ $0.announcementCount }) { world, place in [world.announcement(at: place)] })
    case .feeds:
      try visitor.visit(self, EntityStream({ $0.size.users }, reader: \.feedRecords))
    }
  }

  /// The message of the entity's records.
  public var message: MessageDescriptor {
    var visitor = DescriptorVisitor()
    return accept(&visitor)
  }
}

private struct DescriptorVisitor: EntityVisitor {
  mutating func visit<Record: FixtureRecord>(
    _ entity: FixtureEntity, _ stream: EntityStream<Record>
  ) throws(Never) -> MessageDescriptor { Record.descriptor }
}

extension World {
  fileprivate func followRecords(_ user: Int) -> [FollowRecord] {
    let id = userID(at: user)
    return follows(user).map {
      FollowRecord(followerId: id, followeeId: userID(at: $0.followee), createdAt: $0.createdAt)
    }
  }

  fileprivate func blockRecords(_ user: Int) -> [BlockRecord] {
    blocked(byUserAt: user).map { BlockRecord(blockerId: userID(at: user), blockedId: userID(at: $0)) }
  }

  fileprivate func muteRecords(_ user: Int) -> [MuteRecord] {
    muted(byUserAt: user).map { MuteRecord(muterId: userID(at: user), muteeId: userID(at: $0)) }
  }

  fileprivate func shareRecords(_ post: Int) -> [ShareRecord] {
    sharers(ofPostAt: post).map {
      ShareRecord(
        userId: userID(at: $0), postId: postID(at: post), shareType: shareType($0, post),
        createdAt: shareTime($0, post))
    }
  }

  fileprivate var feedRecords: (Int) -> [FeedRecord] {
    let reader = FeedReader(self)
    return { user in [FeedRecord(userId: userID(at: user), posts: reader.feed(ofUserAt: user))] }
  }

  fileprivate func bookmarkRecords(_ user: Int) -> [BookmarkRecord] {
    bookmarks(ofUserAt: user).map {
      BookmarkRecord(userId: userID(at: user), postId: postID(at: $0), createdAt: bookmarkTime(user, $0))
    }
  }
}
