import NovaContent
import NovaCore
import NovaEvents
import NovaMedia
import NovaUsers

/// What a change causes beyond the state. Handlers note it, and the backend publishes it after the change.
struct MockEffects: Sendable {
  var events: [PendingEvent] = []
  /// The users some of whose tokens were revoked.
  var revokedUsers: [String] = []
  /// Whether all tokens were revoked.
  var revokesAll = false

  var isEmpty: Bool { events.isEmpty && revokedUsers.isEmpty && !revokesAll }
}

extension MockState {
  /// Notes an event.
  mutating func emit(
    _ kind: Event.Kind, by actor: String, to subject: String, keys: [MockTopic], audience: Audience? = nil,
    post: Int32? = nil, _ complete: (inout Event) -> Void = { _ in }
  ) {
    var event = Event(type: kind.rawValue, actorId: actor, subjectId: subject, createdAt: now)
    complete(&event)
    effects.events.append(PendingEvent(event, keys: keys, audience: audience, post: post))
  }

  /// Notes that a user follows another one, or no longer does. The counts are those of the follower and the followee.
  mutating func emitFollow(_ kind: Event.Kind, by follower: String, of followee: String) {
    let (following, followers) = (graph.following(of: follower).count, graph.followers(of: followee).count)
    emit(
      kind, by: follower, to: followee, keys: [.user(follower), .user(followee), .me(follower), .me(followee)]
    ) { event in
      event.followingCount = Int64(following)
      event.followerCount = Int64(followers)
    }
  }

  /// Notes what happens to an existing post: for those who read the post, its author, and the actor.
  mutating func emit(
    _ kind: Event.Kind, onPost number: Int32, by actor: String, keys: [MockTopic] = [],
    _ complete: (inout Event) -> Void
  ) {
    let (id, author) = (content.id(number), content.authorID(ofPost: number) ?? "")
    emit(
      kind, by: actor, to: author, keys: [.post(id), .me(author), .me(actor)] + keys,
      audience: audience(ofPost: number),
      post: number
    ) { event in
      event.postId = id
      complete(&event)
    }
  }

  mutating func emitLike(_ kind: Event.Kind, _ post: Int32, by user: String) {
    let count = Int64(social.likes.count(post))
    emit(kind, onPost: post, by: user) { $0.likeCount = count }
  }

  mutating func emitShare(_ post: Int32, by user: String) {
    let count = Int64(social.shares.count(post))
    emit(.shareCreated, onPost: post, by: user) { $0.shareCount = count }
  }

  mutating func emitComment(_ kind: Event.Kind, _ number: Int32, by actor: String) {
    guard let comment = social.comments.stored(number) else { return }
    emitComment(kind, comment, number: number, by: actor)
  }

  /// - Parameter comment: the comment, which no longer exists if it was deleted.
  mutating func emitComment(_ kind: Event.Kind, _ comment: StoredComment, number: Int32, by actor: String) {
    let (id, count) = (social.comments.id(number), Int64(social.comments.count(comment.post)))
    emit(kind, onPost: comment.post, by: actor) { event in
      event.commentId = id
      if kind != .commentUpdated { event.commentCount = count }
      if kind != .commentDeleted { event.text = comment.content }
    }
  }

  /// Notes a new post, or one that is no longer a draft.
  mutating func emitNewPost(_ number: Int32) {
    guard let post = content.stored(number) else { return }
    let author = content.authorID(ofPost: number) ?? ""
    let count = postCount(of: author, shownTo: audience(ofPost: number))
    emit(.postCreated, onPost: number, by: author, keys: [.user(author), .newPosts]) { event in
      event.postCount = count
      event.text = post.content
    }
  }

  mutating func emitChangedPost(_ number: Int32, from old: StoredPost) {
    guard let post = content.stored(number) else { return }
    let author = content.authorID(ofPost: number) ?? ""
    let count = postCount(of: author, shownTo: audience(ofPost: number))
    emit(.postUpdated, onPost: number, by: author, keys: [.user(author)]) { event in
      if post.status != old.status { event.postCount = count }
      event.text = post.content
    }
    if post.status == .published, old.status == .draft { emitNewPost(number) }
  }

  /// Notes that a post was deleted.
  ///
  /// - Parameter audience: that of the post while it existed.
  mutating func emitDeletedPost(_ number: Int32, of author: String, audience: Audience) {
    let (id, count) = (content.id(number), postCount(of: author, shownTo: audience))
    emit(
      .postDeleted, by: author, to: author, keys: [.post(id), .user(author), .me(author)], audience: audience,
      post: number
    ) { event in
      event.postId = id
      event.postCount = count
    }
  }

  /// Notes a bookmark, which concerns only its owner.
  mutating func emitBookmark(_ kind: Event.Kind, _ post: Int32, by user: String) {
    let id = content.id(post)
    emit(kind, by: user, to: content.authorID(ofPost: post) ?? "", keys: [.me(user)], post: post) {
      $0.postId = id
    }
  }

  mutating func emitProfile(_ user: String) {
    emit(.profileUpdated, by: user, to: user, keys: [.user(user), .me(user)])
  }

  mutating func emitUpload(_ kind: Event.Kind, _ upload: Upload) {
    emit(kind, by: upload.userId, to: upload.userId, keys: [.me(upload.userId)]) { $0.uploadId = upload.id }
  }

  mutating func emitSomething(_ kind: Event.Kind, id: Int64, of owner: String, text: String?) {
    emit(kind, by: owner, to: owner, keys: [.me(owner)]) { event in
      event.somethingId = id
      event.text = text
    }
  }

  /// All readers receive the same event, so only an event that no one else reads counts the author's private posts.
  private func postCount(of author: String, shownTo audience: Audience) -> Int64 {
    let reader = audience.circle == .owner ? Viewer(user: author) : .stranger
    return Int64(postCount(of: author, for: reader))
  }
}
