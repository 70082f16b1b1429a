import NovaCore
import NovaGraph
import NovaMedia
import NovaSocial
import NovaContent
import NovaUsers

extension UserProfileViewModel {
  /// Makes the viewer follow a user, shown at once. Returns when the server has answered.
  public func followUser(userId: String) async { await want(.follow, userId, true) }

  /// Ends the viewer's follow of a user, shown at once. Returns when the server has answered.
  public func unfollowUser(userId: String) async { await want(.follow, userId, false) }

  /// Likes a post for the viewer, shown at once. Returns when the server has answered.
  public func likePost(postId: String) async { await want(.like, postId, true) }

  /// Takes the viewer's like back, shown at once. Returns when the server has answered.
  public func unlikePost(postId: String) async { await want(.like, postId, false) }

  /// Bookmarks a post for the viewer, shown at once. Returns when the server has answered.
  public func bookmarkPost(postId: String) async { await want(.bookmark, postId, true) }

  /// Removes the viewer's bookmark, shown at once. Returns when the server has answered.
  public func unbookmarkPost(postId: String) async { await want(.bookmark, postId, false) }

  /// Gives the viewer a new picture: uploads it and, once that is done, changes their profile. While one is on its way,
  /// another is ignored.
  ///
  /// - Parameters:
  ///   - image: the file's bytes; at least one.
  ///   - contentType: the file's media type.
  public func uploadAvatar(image: [UInt8], contentType: String = "image/jpeg") async {
    guard let currentUserId else { return errorMessage = Self.nobody }
    guard !isUploadingAvatar else { return }
    forgetError()
    isUploadingAvatar = true
    defer { isUploadingAvatar = false }
    let visit = visit
    do {
      let url = try await media.uploadImage(
        image: image, userId: currentUserId, contentType: contentType, fileName: "avatar")
      let changed = try await users.updateUserProfile(userId: currentUserId, avatarUrl: url)
      if isOwnProfile { profile?.avatarUrl = changed.avatarUrl ?? url }
    } catch {
      if visit == self.visit { tell("The picture was not changed.", error) }
    }
  }

  // MARK: Wishes

  private static let nobody = "Please log in first."

  private func want(_ kind: Wishes.Target.Kind, _ id: String, _ isWanted: Bool) async {
    guard let currentUserId else { return errorMessage = Self.nobody }
    if kind == .follow, id == currentUserId { return errorMessage = "You cannot follow yourself." }
    let target = Wishes.Target(kind: kind, id: id)
    forgetError()
    if wishes.want(target, isWanted, known: known(target)) {
      requests[target] = Task { await send(target, isWanted, as: currentUserId) }
    }
    await requests[target]?.value
  }

  /// Sends requests until the server has what is wanted or refuses it.
  private func send(_ target: Wishes.Target, _ isWanted: Bool, as viewer: String) async {
    let visit = visit
    var next: Bool? = isWanted
    while let sent = next {
      next = nil
      var failure: (any Error)?
      do { fold(target, sent, likeCount: try await request(target, sent, viewer)) } catch { failure = error }
      switch wishes.finish(target, sent: sent, succeeded: failure == nil) {
      case .settled: break
      case .send(let opposite): next = opposite
      case .rolledBack:
        if visit == self.visit, let failure { tell(target.kind.failure(sent), failure) }
      }
    }
    requests[target] = nil
  }

  /// - Returns: how many likes the post has, if the server says so.
  private func request(_ target: Wishes.Target, _ isWanted: Bool, _ viewer: String) async throws -> Int? {
    switch (target.kind, isWanted) {
    case (.follow, true): try await graph.followUser(followerId: viewer, followeeId: target.id)
    case (.follow, false): try await graph.unfollowUser(followerId: viewer, followeeId: target.id)
    case (.bookmark, true): try await content.createBookmark(postId: target.id, userId: viewer)
    case (.bookmark, false): try await content.deleteBookmark(postId: target.id, userId: viewer)
    case (.like, true): return Self.told(try await social.createLike(postId: target.id, userId: viewer))
    case (.like, false): return Self.told(try await social.deleteLike(postId: target.id, userId: viewer))
    }
    return nil
  }

  /// Servers may leave the count out, which then reads as 0.
  private static func told(_ count: Int) -> Int? { count > 0 ? count : nil }

  /// The server has it now: what was shown on top becomes what is known.
  private func fold(_ target: Wishes.Target, _ isSo: Bool, likeCount: Int?) {
    let change = (isSo ? 1 : 0) - (wishes.underWay[target]?.confirmed == true ? 1 : 0)
    if loads.areUnderWay || nextPages.areUnderWay || !ornaments.isEmpty { settled[target] = isSo }
    done[target] = isSo
    switch target.kind {
    case .follow: foldFollow(target.id, isSo, change)
    case .bookmark: if isOwnProfile { move(target.id, .saved, isSo) }
    case .like:
      let count = likeCount ?? marks[target.id]?.likeCount.map { max(0, $0 + change) }
      marks[target.id] = PostMark(isLiked: isSo, likeCount: count)
      if isOwnProfile { move(target.id, .liked, isSo) }
    }
  }

  private func foldFollow(_ id: String, _ isSo: Bool, _ change: Int) {
    if id == userId {
      isFollowed = isSo
      profile?.followerCount += change
      if let currentUserId { followers?.set(currentUserId, isSo) }
    } else if isOwnProfile {
      profile?.followingCount += change
      following?.set(id, isSo)
    }
  }
}

extension Wishes.Target.Kind {
  /// What did not work.
  fileprivate func failure(_ wasWanted: Bool) -> String {
    switch (self, wasWanted) {
    case (.follow, true): "Following did not work."
    case (.follow, false): "Unfollowing did not work."
    case (.like, true): "The like was not saved."
    case (.like, false): "The like could not be taken back."
    case (.bookmark, true): "The bookmark was not saved."
    case (.bookmark, false): "The bookmark could not be removed."
    }
  }
}
