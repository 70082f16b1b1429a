package import NovaAnnouncements
package import NovaAuth
package import NovaCapture
package import NovaContent
package import NovaMedia
import NovaSocial
package import NovaUsers

/// The initial contents of a backend, built from the contract's messages, for data sets in other modules.
///
/// Refer to posts by the order in which you add them. Add likes, follows, and bookmarks oldest first, and each user
/// before everything that belongs to the user.
package struct MockContents: Sendable {
  private(set) var state = MockState()

  /// - Parameter sampleUser: the owner of captures in requests without a token.
  package init(sampleUser: String) { state.sampleUser = sampleUser }

  // MARK: Users

  package mutating func add(_ profile: UserProfile) { state.users.add(profile) }

  package mutating func add(_ settings: UserSettings) { state.users.set(settings) }

  /// Adds an account that logs in with a password. Accounts can share one, so that its key is derived only once.
  package mutating func add(_ account: User, password: PasswordHash) {
    state.auth.set(
      Account(
        userID: account.id, email: account.email, username: account.username, createdAt: account.createdAt,
        password: password, isEmailConfirmed: account.isActive))
  }

  /// Sets the follows, as indices into `users`, oldest first and without duplicates. Call this before adding blocks or
  /// mutes.
  package mutating func setFollows(_ pairs: [(source: Int32, target: Int32)], users: [String]) {
    state.graph = GraphStore(users: users, follows: pairs)
  }

  package mutating func addBlock(of user: String, by blocker: String) { state.graph.block(blocker, user) }

  package mutating func addMute(of user: String, by muter: String) { state.graph.mute(muter, user) }

  // MARK: Posts

  /// Adds a post. The backend assigns the id: `post-1` for the first.
  package mutating func add(_ post: Post) {
    state.content.add(StoredPost(post), by: post.creatorId)
  }

  /// Adds a like unless the user already likes the post.
  package mutating func addLike(ofPostAt post: Int, by user: String, at time: Int64, id: String? = nil) {
    state.social.likes.add(user, Int32(post), at: time, id: id)
  }

  /// Adds a comment.
  ///
  /// - Returns: the comment's number, for replies to it.
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
    state.social.shares.add(user, Int32(post), type: ShareType(rawValue: type) ?? .repost, at: time)
  }

  package mutating func addBookmark(ofPostAt post: Int, by user: String) {
    state.content.addBookmark(user, Int32(post))
  }

  // MARK: Everything else

  /// Adds an upload without its bytes.
  package mutating func add(_ upload: Upload) { state.media.restore(upload) }

  package mutating func add(_ video: Video) { state.media.restore(video) }

  /// Adds a reel whose processing is finished.
  package mutating func add(_ reel: Reel) { state.media.restore(StoredReel(finished: reel)) }

  package mutating func add(_ something: Something) { state.capture.restore(something) }

  package mutating func add(_ announcement: Announcement) { state.announcements.append(announcement) }
}
