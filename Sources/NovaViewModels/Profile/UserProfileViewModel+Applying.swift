import NovaContent
import NovaCore
import NovaUsers

// Taking over what was loaded.
extension UserProfileViewModel {
  func apply(_ loaded: LoadedProfile, _ parts: Set<ProfilePart>) {
    if parts.contains(.profile), case .success(let value) = loaded.profile { profile = value }
    if parts.contains(.relationship), case .success(let value) = loaded.isFollowed { isFollowed = value }
    if parts.contains(.followers), case .success(let value) = loaded.followers { followers = value }
    if parts.contains(.following), case .success(let value) = loaded.following { following = value }
    var new: [Post] = []
    for (tab, result) in [(ContentTab.posts, loaded.posts), (.saved, loaded.saved)] where parts.contains(tab.part) {
      guard case .success(let page) = result else { continue }
      pages[tab] = PostPages(page)
      new += page.items
    }
    loadLikes(of: new)
    let failures = loaded.failures.filter { parts.contains($0.part) }
    let failed = Set(failures.map(\.part))
    reconcile(parts.subtracting(failed))
    tell(failures)
  }

  func apply(
    _ part: ProfilePart, _ list: ReferenceWritableKeyPath<UserProfileViewModel, Page<String>?>,
    _ result: Result<Page<String>, any Error>, _ parts: Set<ProfilePart>
  ) {
    switch result {
    case .success(let page):
      self[keyPath: list] = page
      reconcile([part])
    case .failure(let error): tell([(part, error)])
    }
  }

  func apply(_ tab: ContentTab, _ result: Result<Page<Post>, any Error>, _ parts: Set<ProfilePart>) {
    switch result {
    case .success(let page):
      pages[tab] = PostPages(page)
      loadLikes(of: page.items)
      reconcile([tab.part])
    case .failure(let error): tell([(tab.part, error)])
    }
  }

  func apply(_ loaded: [String: PostMark]) {
    for (id, new) in loaded {
      let target = Wishes.Target(kind: .like, id: id)
      // Both numbers were asked for before or after the like, who knows; what came of the like itself is sure.
      if settled[target] != nil, marks[id]?.likeCount != nil { continue }
      marks[id] = PostMark(
        isLiked: settled[target] ?? new.isLiked ?? marks[id]?.isLiked, likeCount: new.likeCount ?? marks[id]?.likeCount)
      if let isLiked = new.isLiked { wishes.confirm(target, isLiked) }
    }
  }

  /// Nobody compares answers with wishes any more once no load is under way.
  func forgetSettled() {
    if !loads.areUnderWay, !nextPages.areUnderWay, ornaments.isEmpty { settled = [:] }
  }

  // MARK: Wishes and answers that crossed

  /// An answer may be older than what the server did meanwhile for the viewer, or newer than what is known here.
  private func reconcile(_ parts: Set<ProfilePart>) {
    for (target, isSo) in settled where wishes.underWay[target] == nil {
      switch target.kind {
      case .follow: reconcileFollow(target, isSo, parts)
      case .bookmark where isOwnProfile && parts.contains(.saved): move(target.id, .saved, isSo)
      case .like where isOwnProfile && parts.contains(.liked): move(target.id, .liked, isSo)
      default: break
      }
    }
    // The counts and what they are counted from came together.
    guard parts.contains(.profile) else { return }
    for target in wishes.underWay.keys where target.kind == .follow {
      if let isSo = loadedFollow(target, parts) { wishes.confirm(target, isSo) }
    }
  }

  private func reconcileFollow(_ target: Wishes.Target, _ isSo: Bool, _ parts: Set<ProfilePart>) {
    let change = loadedFollow(target, parts).map { (isSo ? 1 : 0) - ($0 ? 1 : 0) } ?? 0
    if target.id == userId {
      if parts.contains(.profile) { profile?.followerCount += change }
      if parts.contains(.relationship) { isFollowed = isSo }
      if parts.contains(.followers), let currentUserId { followers?.set(currentUserId, isSo) }
    } else if isOwnProfile {
      if parts.contains(.profile) { profile?.followingCount += change }
      if parts.contains(.following) { following?.set(target.id, isSo) }
    }
  }

  /// What the answer says about a follow.
  private func loadedFollow(_ target: Wishes.Target, _ parts: Set<ProfilePart>) -> Bool? {
    if target.id == userId { return parts.contains(.relationship) ? isFollowed : nil }
    return isOwnProfile && parts.contains(.following) ? following?.knows(target.id) : nil
  }

  /// Puts a post in front of a tab, or takes it away.
  func move(_ postId: String, _ tab: ContentTab, _ isIn: Bool) {
    guard let post = post(postId) else { return }
    if isIn {
      pages[tab]?.insert(post)
    } else {
      takenOut[postId] = post
      pages[tab]?.remove(postId)
    }
  }

  // MARK: Messages

  /// Shows an error, unless it is a cancellation.
  func tell(_ what: String, _ error: any Error) {
    guard let text = UserMessage.text(what, error) else { return }
    errorMessage = text
    if case APIError.unauthorized = error { needsReauthentication = true }
  }

  func forgetError() {
    errorMessage = nil
    needsReauthentication = false
  }

  private func tell(_ failures: [(part: ProfilePart, error: any Error)]) {
    let worthTelling = failures.filter { UserMessage.text(of: $0.error) != nil && !isExpected($0.part, $0.error) }
    // A new login mends more than the one part.
    let unauthorized = worthTelling.first { if case APIError.unauthorized = $0.error { true } else { false } }
    guard let first = worthTelling.first else { return }
    if first.part == .profile, case APIError.notFound = first.error {
      return errorMessage = "There is no such profile."
    }
    let names = worthTelling.map(\.part.name)
    let list = names.dropLast().joined(separator: ", ") + (names.count > 1 ? " and " : "") + (names.last ?? "")
    tell("Could not load \(list).", (unauthorized ?? first).error)
  }

  /// Other people's bookmarks and likes may be nobody else's business.
  private func isExpected(_ part: ProfilePart, _ error: any Error) -> Bool {
    guard !isOwnProfile, part == .saved || part == .liked, case APIError.permissionDenied = error else { return false }
    return true
  }
}

extension Page<String> {
  /// Puts an id in front, or takes it away.
  mutating func set(_ id: String, _ isIn: Bool) {
    let count = items.count
    items = items.with(id, isIn)
    totalCount = max(0, totalCount + items.count - count)
  }
}

extension ProfilePart {
  fileprivate var name: String {
    switch self {
    case .profile: "the profile"
    case .followers: "the followers"
    case .following: "the followed people"
    case .posts: "the posts"
    case .saved: "the saved posts"
    case .liked: "the liked posts"
    case .relationship: "whether you follow this person"
    }
  }
}
