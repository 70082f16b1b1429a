package import NovaAnnouncements
package import NovaAuth
package import NovaCapture
package import NovaContent
package import NovaMedia
import NovaSocial
package import NovaUsers

/// What a backend holds at first, built from the contract's messages: for data sets that other modules make.
///
/// Posts are referred to by their places in the order in which they were added. Likes, follows and bookmarks are added
/// oldest first, and users before everything of theirs.
package struct MockContents: Sendable {
  private(set) var state = MockState()

  /// - Parameter sampleUser: the owner of captures that come without a token.
  package init(sampleUser: String) { state.sampleUser = sampleUser }

  // MARK: Users

  package mutating func add(_ profile: UserProfile) { state.users.add(profile) }

  package mutating func add(_ settings: UserSettings) { state.users.set(settings) }

  /// Adds an account that has no password: nobody can log in to it.
  package mutating func add(_ account: User) {
    state.auth.set(
      Account(
        userID: account.id, email: account.email, username: account.username, createdAt: account.createdAt,
        password: .unmatched, isEmailConfirmed: account.isActive))
  }

  /// Sets who follows whom: places in `users`, oldest first, no pair twice. Blocks and mutes come later.
  package mutating func setFollows(_ pairs: [(source: Int32, target: Int32)], users: [String]) {
    state.graph = GraphStore(users: users, follows: pairs)
  }

  package mutating func addBlock(of user: String, by blocker: String) { state.graph.block(blocker, user) }

  package mutating func addMute(of user: String, by muter: String) { state.graph.mute(muter, user) }

  // MARK: Posts

  /// Adds a post. Its id is the backend's own: `post-1` for the first.
  package mutating func add(_ post: Post) {
    var stored = StoredPost(post.content, at: post.createdAt)
    stored.updatedAt = post.updatedAt
    stored.title = post.title
    stored.privacy = PostPrivacy(rawValue: post.privacy) ?? .private
    stored.status = PostStatus(rawValue: post.status) ?? .draft
    stored.mediaIDs = post.mediaIds
    state.content.add(stored, by: post.creatorId)
  }

  /// Adds a like unless the user likes the post already.
  package mutating func addLike(ofPostAt post: Int, by user: String, at time: Int64, id: String? = nil) {
    state.social.likes.add(user, Int32(post), at: time, id: id)
  }

  /// Adds a comment.
  ///
  /// - Returns: its number, for replies to it.
  @discardableResult
  package mutating func addComment(
    _ content: String, onPostAt post: Int, by user: String, replyingTo parent: Int32? = nil, at time: Int64,
    id: String? = nil
  ) -> Int32 {
    state.social.comments.add(
      StoredComment(post: Int32(post), author: user, parent: parent, content: content, at: time), id: id)
  }

  /// Adds a share. An unknown type counts as a repost.
  package mutating func addShare(ofPostAt post: Int, by user: String, type: String, at time: Int64) {
    state.social.shares.add(user, Int32(post), ShareType(rawValue: type) ?? .repost, at: time)
  }

  package mutating func addBookmark(ofPostAt post: Int, by user: String) {
    state.content.addBookmark(user, Int32(post))
  }

  // MARK: Everything else

  /// Adds an upload without its bytes.
  package mutating func add(_ upload: Upload) { state.media.restore(upload) }

  package mutating func add(_ video: Video) { state.media.restore(video) }

  /// Adds a reel that stays as it is.
  package mutating func add(_ reel: Reel) { state.media.restore(StoredReel(finished: reel)) }

  package mutating func add(_ something: Something) { state.capture.restore(something) }

  package mutating func add(_ announcement: Announcement) { state.announcements.append(announcement) }
}
