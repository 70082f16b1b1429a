import NovaContent
import NovaCore
import NovaEvents
import NovaUsers
import Observation

/// The state of a profile: the server's content, and the viewer's changes that are not confirmed yet.
///
/// The getters (`profile`, `posts(of:)`, `isSet`) compute what to show from two sources. The server's content is
/// changed by loads, by events, and by confirmed changes. ``mutations`` has the changes in flight, with the server's
/// state of each target, so that a change is never counted twice. A response that was loaded while a change was
/// confirmed may be older or newer than the change; until no load is in progress, `confirmedDuringLoads` has those
/// changes, and `reconcile` applies them to each response.
///
/// Each property is observed separately, so that a view is redrawn only if what it shows changes.
@MainActor @Observable
final class ProfileState {
  private(set) var userId: String?
  private(set) var isFollowed: Bool?
  private(set) var followers: Page<String>?
  private(set) var mutations = PendingMutations()
  private(set) var origins = ContentOrigins()
  /// The viewer's changes that may be waiting in an outbox.
  private(set) var unsent: Set<PendingMutations.Target> = []
  private var serverProfile: UserProfile?
  private var following: Page<String>?
  private var pages: [ContentTab: PostPages] = [:]
  private var marks: [ExactText: PostMark] = [:]
  /// The viewer's confirmed changes, for targets that are in no loaded list.
  private var results: [PendingMutations.Target: Bool] = [:]
  /// The changes that were confirmed during a load. The load's response may be older.
  @ObservationIgnored private(set) var confirmedDuringLoads: [PendingMutations.Target: Bool] = [:]
  /// Posts that were removed from a list and may return to it.
  @ObservationIgnored private var removedPosts: [ExactText: Post] = [:]
  @ObservationIgnored private let viewerId: String?

  init(viewerId: String?) { self.viewerId = viewerId }

  var isOwnProfile: Bool { userId != nil && userId.hasSameBytes(as: viewerId) }

  /// Switches to a user, and clears the earlier user's content.
  func show(_ userId: String) {
    self.userId = userId
    (serverProfile, isFollowed, followers, following) = (nil, nil, nil, nil)
    (pages, marks, removedPosts) = ([:], [:], [:])
    origins = ContentOrigins()
  }

  // MARK: Content with pending changes

  var profile: UserProfile? {
    guard var shown = serverProfile else { return nil }
    let followerChange = userId.flatMap { mutations.inFlight[.init(kind: .follow, id: $0)]?.countChange } ?? 0
    let followingChange = isOwnProfile ? mutations.all(.follow).reduce(0) { $0 + $1.mutation.countChange } : 0
    shown.followerCount.change(by: followerChange)
    shown.followingCount.change(by: followingChange)
    return shown
  }

  var followerIds: [String] {
    let ids = followers?.items ?? []
    guard let userId, let viewerId, let isWanted = mutations[.follow, userId] else { return ids }
    return ids.with(viewerId, isWanted)
  }

  var followingIds: [String] {
    let ids = following?.items ?? []
    guard isOwnProfile else { return ids }
    return mutations.all(.follow).reduce(ids) { $0.with($1.id, $1.mutation.isWanted) }
  }

  /// The posts of a tab. The saved and liked posts of the viewer's own profile include pending changes.
  func posts(of tab: ContentTab) -> [Post] {
    guard var shown = pages[tab] else { return [] }
    guard isOwnProfile, let kind = tab.mutation else { return shown.posts }
    for (id, mutation) in mutations.all(kind) {
      if !mutation.isWanted { shown.remove(id) } else if let post = post(id) { shown.insert(post) }
    }
    return shown.posts
  }

  func pages(of tab: ContentTab) -> PostPages? { pages[tab] }

  /// Whether a part was loaded.
  func shows(_ part: ProfilePart) -> Bool { origins.isStored(part) != nil }

  /// The wanted state of a target, or else the server's state; false if unknown.
  func isSet(_ kind: PendingMutations.Target.Kind, _ id: String) -> Bool {
    mutations[kind, id] ?? known(.init(kind: kind, id: id)) ?? false
  }

  func likeCount(_ postId: String) -> Int? {
    let change = mutations.inFlight[.init(kind: .like, id: postId)]?.countChange ?? 0
    return marks[ExactText(postId)]?.likeCount?.changed(by: change)
  }

  /// The server's state of a target; nil if unknown.
  private func known(_ target: PendingMutations.Target) -> Bool? {
    let loaded: Bool? =
      switch target.kind {
      case .like: marks[ExactText(target.id)]?.isLiked ?? (isOwnProfile ? contains(.liked, target.id) : nil)
      case .bookmark: isOwnProfile ? contains(.saved, target.id) : nil
      case .follow where userId.hasSameBytes(as: target.id): isFollowed
      case .follow: isOwnProfile ? following?.knows(target.id) : nil
      }
    return loaded ?? results[target]
  }

  private func contains(_ tab: ContentTab, _ id: String) -> Bool? {
    guard let pages = pages[tab] else { return nil }
    if pages.contains(id) { return true }
    return pages.hasMore ? nil : false
  }

  /// A post that is or was loaded.
  private func post(_ id: String) -> Post? {
    for tab in ContentTab.allCases where pages[tab]?.contains(id) == true {
      if let post = pages[tab]?.posts.first(where: { $0.id.hasSameBytes(as: id) }) { return post }
    }
    return removedPosts[ExactText(id)]
  }

  // MARK: Applying loads

  /// Applies stored content to the parts that do not show content from the gateway.
  func applyStored(_ stored: LoadedParts, _ parts: Set<ProfilePart>) {
    let shown = parts.filter { origins.isStored($0) != false && stored.parts[$0]?.error == nil }
    if shown.isEmpty { return }
    _ = apply(stored, shown)
  }

  /// Applies the parts of a load that succeeded, and removes stored parts that the viewer may no longer see.
  ///
  /// - Returns: the loaded posts that came from the gateway.
  func apply(_ loaded: LoadedParts, _ parts: Set<ProfilePart>) -> [Post] {
    var posts: [Post] = []
    var applied: Set<ProfilePart> = []
    for part in ProfilePart.allCases where parts.contains(part) {
      guard let new = loaded.parts[part] else { continue }
      switch new.content {
      case .success where new.source.isStored && origins.isNewerThanStored(part):
        origins.setOutdated(part, new.isOutdated)
      case .success(let content):
        set(part, content)
        origins.set(part, to: new)
        applied.insert(part)
        if case .posts(let page) = content, !new.source.isStored { posts += page.items }
      case .failure(let error as APIError) where error.meansRefused && origins.isStored(part) == true: clear(part)
      case .failure: break
      }
    }
    reconcile(applied)
    apply(supplementing(loaded.marks))
    // Content that the gateway returns after a change includes the change, or shows that it was refused.
    if !unsent.isEmpty, !applied.isEmpty, !origins.areStored {
      unsent = unsent.filter { confirmedDuringLoads[$0] != nil }
    }
    return posts
  }

  /// The stored likes. For posts from the gateway, they only fill in unknown values.
  private func supplementing(_ stored: [ExactText: PostMark]) -> [ExactText: PostMark] {
    if stored.isEmpty { return stored }
    let tabs = ContentTab.allCases.filter { origins.isStored($0.part) == false }
    let sent = Set(tabs.flatMap { pages[$0]?.posts.map { ExactText($0.id) } ?? [] })
    return Dictionary(
      uniqueKeysWithValues: stored.map { id, mark in
        (id, sent.contains(id) ? marks[id]?.completed(by: mark) ?? mark : mark)
      })
  }

  private func set(_ part: ProfilePart, _ content: PartContent) {
    switch (part, content) {
    case (_, .profile(let profile)): serverProfile = profile
    case (_, .relationship(let isSo)): isFollowed = isSo
    case (.following, .users(let page)): following = page
    case (_, .users(let page)): followers = page
    case (.saved, .posts(let page)): pages[.saved] = PostPages(page)
    case (.liked, .posts(let page)): pages[.liked] = PostPages(page)
    case (_, .posts(let page)): pages[.posts] = PostPages(page)
    }
  }

  private func clear(_ part: ProfilePart) {
    switch part {
    case .profile: serverProfile = nil
    case .relationship: isFollowed = nil
    case .followers: followers = nil
    case .following: following = nil
    case .posts: pages[.posts] = nil
    case .saved: pages[.saved] = nil
    case .liked: pages[.liked] = nil
    }
    origins.remove(part)
  }

  /// The offset of a tab's next page. The server's list may already lack posts whose removal is in flight, so the pages
  /// overlap.
  func nextOffset(of tab: ContentTab) -> Int {
    let removals = isOwnProfile ? tab.mutation.map { mutations.all($0).filter { !$0.mutation.isWanted }.count } : nil
    return max(0, (pages[tab]?.covered ?? 0) - (removals ?? 0))
  }

  /// Appends a page to a tab.
  ///
  /// - Parameter isOutdated: whether the page is a stored one because the gateway could not be reached.
  /// - Returns: whether the page had new posts; nil if the tab has been cleared.
  func append(
    _ page: PageOverlap.Continuation<Post>, to tab: ContentTab, source: ResponseSource, isOutdated: Bool
  ) -> Bool? {
    let isNew = pages[tab]?.append(page)
    if isNew != nil { origins.add(tab.part, source, isOutdated: isOutdated) }
    return isNew
  }

  func apply(_ loaded: [ExactText: PostMark]) {
    for (id, new) in loaded {
      let target = PendingMutations.Target(kind: .like, id: id.wrappedValue)
      // The load may have read the count before or after the like. The response to the like itself is reliable.
      if confirmedDuringLoads[target] != nil, marks[id]?.likeCount != nil { continue }
      marks[id] = PostMark(
        isLiked: confirmedDuringLoads[target] ?? new.isLiked ?? marks[id]?.isLiked,
        likeCount: new.likeCount ?? marks[id]?.likeCount)
      if let isLiked = new.isLiked { mutations.confirm(target, isLiked) }
    }
  }

  func setAvatar(_ url: String) { serverProfile?.avatarUrl = url }

  // MARK: Applying events

  /// The topics of the shown content: the user, and as many posts as fit.
  func liveTopics(upTo maximum: Int) -> Set<EventTopic> {
    guard let userId else { return [] }
    var topics: Set<EventTopic> = [.user(userId)]
    for tab in ContentTab.allCases {
      for post in pages[tab]?.posts ?? [] where topics.count < maximum { topics.insert(.post(post.id)) }
    }
    return topics
  }

  /// Applies an event.
  ///
  /// - Returns: the parts that must be loaded to show the change.
  func apply(_ event: Event) -> Set<ProfilePart> {
    let (isSubject, isActor) = (userId.hasSameBytes(as: event.subjectId), userId.hasSameBytes(as: event.actorId))
    switch event.kind {
    case .profileUpdated where isSubject: return [.profile]
    case .likeCreated, .likeDeleted:
      if let id = event.postId { applyLike(event, of: id) }
      return []
    case .followCreated, .followDeleted: applyFollow(event)
    case .postDeleted: if let id = event.postId { removePost(id) }
    default: break
    }
    if isSubject, let count = event.followerCount { serverProfile?.followerCount = Int(clamping: count) }
    if isActor, let count = event.followingCount { serverProfile?.followingCount = Int(clamping: count) }
    if isActor, let count = event.postCount { serverProfile?.postCount = Int(clamping: count) }
    let hasNewPost = event.kind == .postCreated || event.kind == .postUpdated
    return hasNewPost && (isActor || isSubject) ? [.posts] : []
  }

  private func applyFollow(_ event: Event) {
    let isSo = event.kind == .followCreated
    setFollow(of: event.subjectId, by: event.actorId, isSo)
    if viewerId.hasSameBytes(as: event.actorId) { confirm(.init(kind: .follow, id: event.subjectId), isSo) }
  }

  private func applyLike(_ event: Event, of postId: String) {
    let (isSo, isViewers) = (event.kind == .likeCreated, viewerId.hasSameBytes(as: event.actorId))
    let known = marks[ExactText(postId)]
    if isViewers || known != nil || post(postId) != nil {
      marks[ExactText(postId)] = PostMark(
        isLiked: isViewers ? isSo : known?.isLiked,
        likeCount: event.likeCount.map(Int.init(clamping:)) ?? known?.likeCount)
    }
    if userId.hasSameBytes(as: event.actorId) { setPost(postId, isIn: isSo, of: .liked) }
    if isViewers { confirm(.init(kind: .like, id: postId), isSo) }
  }

  /// Removes a deleted post from all tabs.
  private func removePost(_ id: String) {
    for tab in ContentTab.allCases { pages[tab]?.remove(id) }
    removedPosts[ExactText(id)] = nil
  }

  /// Notes the server's state of a change whose request may be in flight, so that it is not counted twice.
  private func confirm(_ target: PendingMutations.Target, _ isSo: Bool) {
    if mutations.inFlight[target] != nil { mutations.confirm(target, isSo) }
  }

  /// Forgets the changes confirmed during loads, once no load is in progress.
  func loadsEnded() { confirmedDuringLoads = [:] }

  /// Corrects loaded parts by the changes that were confirmed during the load, whose response may be older or newer.
  private func reconcile(_ parts: Set<ProfilePart>) {
    for (target, isSo) in confirmedDuringLoads where mutations.inFlight[target] == nil {
      switch target.kind {
      case .follow:
        let change = loadedFollow(target, in: parts).map { (isSo ? 1 : 0) - ($0 ? 1 : 0) } ?? 0
        setFollow(of: target.id, by: viewerId, isSo, countChange: change, in: parts)
      case .bookmark where isOwnProfile && parts.contains(.saved): setPost(target.id, isIn: isSo, of: .saved)
      case .like where isOwnProfile && parts.contains(.liked): setPost(target.id, isIn: isSo, of: .liked)
      default: break
      }
    }
    // The counts were loaded together with the lists, so they include the same changes.
    guard parts.contains(.profile) else { return }
    for target in mutations.inFlight.keys where target.kind == .follow {
      if let isSo = loadedFollow(target, in: parts) { mutations.confirm(target, isSo) }
    }
  }

  /// Whether the viewer follows the target according to the load; nil if the load does not include that.
  private func loadedFollow(_ target: PendingMutations.Target, in parts: Set<ProfilePart>) -> Bool? {
    if userId.hasSameBytes(as: target.id) { return parts.contains(.relationship) ? isFollowed : nil }
    return isOwnProfile && parts.contains(.following) ? following?.knows(target.id) : nil
  }

  // MARK: The viewer's changes

  /// Records the state that the viewer wants.
  ///
  /// - Returns: whether to send a request.
  func request(_ target: PendingMutations.Target, _ isWanted: Bool) -> Bool {
    mutations.request(target, isWanted, known: known(target))
  }

  /// Records the result of a request.
  ///
  /// - Parameters:
  ///   - result: the response, or the error.
  ///   - isLoading: whether a load is in progress.
  func finish(
    _ target: PendingMutations.Target, sent: Bool, result: Result<MutationSender.Answer, any Error>, isLoading: Bool
  ) -> PendingMutations.Outcome {
    guard case .success(let answer) = result else { return mutations.finish(target, sent: sent, succeeded: false) }
    // A waiting change stays unsent even if its opposite follows, because the outbox decides whether to send both.
    if answer.waits { unsent.insert(target) } else { unsent.remove(target) }
    let change = (sent ? 1 : 0) - (mutations.inFlight[target]?.confirmed == true ? 1 : 0)
    if isLoading { confirmedDuringLoads[target] = sent }
    results[target] = sent
    switch target.kind {
    case .follow: setFollow(of: target.id, by: viewerId, sent, countChange: change)
    case .bookmark: if isOwnProfile { setPost(target.id, isIn: sent, of: .saved) }
    case .like:
      let count = answer.likeCount ?? marks[ExactText(target.id)]?.likeCount?.changed(by: change)
      marks[ExactText(target.id)] = PostMark(isLiked: sent, likeCount: count)
      if isOwnProfile { setPost(target.id, isIn: sent, of: .liked) }
    }
    return mutations.finish(target, sent: sent, succeeded: true)
  }

  /// Sets whether a user follows another one.
  ///
  /// - Parameters:
  ///   - countChange: what to add to the counts. Default: nothing, because an event contains totals.
  ///   - parts: the parts to change. Default: all.
  private func setFollow(
    of followee: String, by follower: String?, _ isSo: Bool, countChange: Int = 0,
    in parts: Set<ProfilePart> = Set(ProfilePart.allCases)
  ) {
    guard let follower else { return }
    let changesCount = countChange != 0 && parts.contains(.profile)
    if userId.hasSameBytes(as: followee) {
      if changesCount { serverProfile?.followerCount.change(by: countChange) }
      if parts.contains(.relationship), viewerId.hasSameBytes(as: follower) { isFollowed = isSo }
      if parts.contains(.followers) { followers?.set(follower, isSo) }
    }
    if userId.hasSameBytes(as: follower) {
      if changesCount { serverProfile?.followingCount.change(by: countChange) }
      if parts.contains(.following) { following?.set(followee, isSo) }
    }
  }

  /// Puts a post at the front of a tab, or removes it.
  private func setPost(_ id: String, isIn: Bool, of tab: ContentTab) {
    guard let post = post(id) else { return }
    if isIn {
      pages[tab]?.insert(post)
    } else {
      removedPosts[ExactText(id)] = post
      pages[tab]?.remove(id)
    }
  }
}

extension ContentTab {
  /// The kind of change that adds posts to the tab, or removes them.
  fileprivate var mutation: PendingMutations.Target.Kind? {
    switch self {
    case .posts: nil
    case .saved: .bookmark
    case .liked: .like
    }
  }
}
