public import NovaContent
public import NovaCore
public import NovaEvents
public import NovaGraph
public import NovaMedia
public import NovaSocial
public import NovaUsers
public import Observation

/// The view model of a user's profile: the user, their lists and posts, and the viewer's changes.
///
/// ```swift
/// let model = UserProfileViewModel(
///   currentUserId: me, graph: nova.graph, social: nova.social, content: nova.content, media: nova.media,
///   users: nova.users)
/// await model.loadUserProfile(userId: "mock-user-id")
/// await model.followUser(userId: "mock-user-id")
/// ```
/// No method throws: errors set ``errorMessage``, a sentence for the viewer. Content and messages of one user are never
/// shown for another.
///
/// The viewer's changes (follow, like, bookmark) are shown at once, in lists and counts as well, and are rolled back
/// with a message if the server refuses them. For each user or post, at most one request is in flight: a second tap for
/// the same change is ignored; a tap for the opposite is shown at once and sent after the first request. Cancelling the
/// waiting task does not cancel these requests.
///
/// If the services' client has a store, stored content is shown at once, with its age (``contentAge``), until the
/// gateway's content arrives. If the gateway cannot be reached, stored content stays with ``outdatedMessage``, and the
/// viewer's changes wait in the store's outbox and are not rolled back.
@MainActor @Observable
public final class UserProfileViewModel {
  /// The ID of the viewer; nil if no user is signed in. Never changes.
  @ObservationIgnored public let currentUserId: String?
  /// The selected tab. Selecting a tab does not load it: call ``loadContent(for:)``.
  public var selectedTab = ContentTab.posts
  /// The latest error, as a sentence for the viewer; nil without an error. Set it to nil once the viewer has read it.
  public var errorMessage: String?
  /// Whether the latest error requires the viewer to log in again (401). If so, call ``AppState/clearSession()``.
  public private(set) var needsReauthentication = false
  /// Whether a new picture is being uploaded.
  public private(set) var isUploadingAvatar = false

  @ObservationIgnored let state: ProfileState
  private var loads = Loads()
  /// The loads of next pages, at most one for each tab.
  private var nextPages = Loads()
  /// The loads of likes and counts. No other load waits for them.
  @ObservationIgnored private var supplementaryLoads: [Int: Task<Void, Never>] = [:]
  @ObservationIgnored private var lastSupplementaryLoad = 0
  /// Increases with each switch to another user.
  @ObservationIgnored private var visit = 0

  @ObservationIgnored private let mutations: MutationSender
  @ObservationIgnored private let media: any MediaServiceProtocol
  @ObservationIgnored private let loader: ProfileLoader
  @ObservationIgnored private let tracker: (any Tracker)?
  @ObservationIgnored private let events: EventService?
  @ObservationIgnored private var updates: LiveUpdates?
  /// The parts that events have changed, to be loaded next.
  @ObservationIgnored private var changedParts: Set<ProfilePart> = []
  @ObservationIgnored private var isReloading = false
  /// The events since the beginning of the loads in progress, whose responses may not include them.
  @ObservationIgnored private var eventsDuringLoads: [Event] = []

  /// Creates a view model that shows no user yet.
  ///
  /// - Parameters:
  ///   - currentUserId: the ID of the viewer; nil if no user is signed in.
  ///   - pageSize: the number of items to load at a time, 1…100. Default: 50.
  ///   - tracker: gets the event `screen_opened` with the property `screen` (`profile`) whenever another user is shown,
  ///     without that user's ID. Default: no tracker.
  ///   - events: the service for ``follow(live:)``. Default: no service.
  public init(
    currentUserId: String?, graph: any GraphServiceProtocol, social: any SocialServiceProtocol,
    content: any ContentServiceProtocol, media: any MediaServiceProtocol, users: any UserServiceProtocol,
    pageSize: Int = 50, tracker: (any Tracker)? = nil, events: EventService? = nil
  ) {
    self.tracker = tracker
    self.events = events
    self.currentUserId = currentUserId
    self.media = media
    state = ProfileState(viewerId: currentUserId)
    loader = ProfileLoader(users: users, graph: graph, content: content, social: social, pageSize: pageSize)
    mutations = MutationSender(state: state, services: loader)
  }

  /// Whether a load is in progress, except for next pages; see ``isLoadingMore``.
  public var isLoading: Bool { loads.areRunning }
  /// Whether a next page is being loaded.
  public var isLoadingMore: Bool { nextPages.areRunning }

  // MARK: Loading

  /// Shows a user: loads profile, followers, following, posts, and bookmarks at the same time, and then which of the
  /// posts the viewer likes.
  ///
  /// Clears another user's content at once; content of the same user stays until the new content is loaded. Cancels a
  /// load in progress. If a part fails, the others are still shown, and ``errorMessage`` names it. Returns when the
  /// parts are loaded, when the load is superseded, or when its task is cancelled.
  ///
  /// If the profile is stored, parts for which the gateway cannot be reached are no error; see ``outdatedMessage``. In
  /// offline mode, there is an error only if no part of the profile is stored.
  public func loadUserProfile(userId: String) async {
    show(userId)
    let profile = start(ProfilePart.allCases.filter { $0 != .liked }, of: userId)
    let liked = selectedTab == .liked ? start([.liked], of: userId) : nil
    await withTaskCancellationHandler {
      await profile.value
      await liked?.value
    } onCancel: {
      profile.cancel()
      liked?.cancel()
    }
  }

  /// Loads the user's followers, and replaces the earlier ones.
  ///
  /// - Parameter userId: the user. If it is not the shown user, that user is shown from now on. Default: the shown
  ///   user.
  public func loadFollowers(userId: String? = nil) async { await load(.followers, of: userId) }

  /// Loads the users that the user follows, and replaces the earlier ones.
  ///
  /// - Parameter userId: the user. If it is not the shown user, that user is shown from now on. Default: the shown
  ///   user.
  public func loadFollowing(userId: String? = nil) async { await load(.following, of: userId) }

  /// Loads the first page of a tab of the shown user, and replaces the earlier posts.
  public func loadContent(for tab: ContentTab) async { await load(tab.part, of: nil) }

  /// - Parameter userId: the user; nil for the shown user.
  private func load(_ part: ProfilePart, of userId: String?) async {
    guard let userId = userId ?? state.userId else { return }
    show(userId)
    await start([part], of: userId).valueOrCancelled()
  }

  /// Loads the next page of the selected tab, or the first page if no page is loaded. Does nothing at the end of the
  /// list, and while the tab or its next page is being loaded. No post appears twice.
  public func loadMore() async {
    let tab = selectedTab
    guard let userId = state.userId, !loads.isLoading(tab.part), !nextPages.isLoading(tab.part) else { return }
    guard let loaded = state.pages(of: tab) else { return await loadContent(for: tab) }
    guard loaded.hasMore else { return }
    let number = nextPages.begin([tab.part])
    let task = Task {
      do { try await appendPages(to: tab, of: userId, number: number) } catch {
        if nextPages.isRunning(number) { report(.morePostsNotLoaded, error) }
      }
      _ = nextPages.end(number)
      loadEnded()
    }
    nextPages.setTask(task, of: number)
    await task.valueOrCancelled()
  }

  /// Appends pages until one has new posts.
  private func appendPages(to tab: ContentTab, of userId: String, number: Int) async throws {
    var offset = state.nextOffset(of: tab)
    var overlap = PageOverlap()
    var fruitless = 0
    for _ in 0..<PageLimits.fruitlessReturns where fruitless < PageLimits.fruitlessPages {
      let source = ServiceSource()
      let noting = loader.fromGatewayFirst.withOptions { $0.note(source) }
      // One item more, because the page begins at a known position.
      let limit = min(loader.pageSize + 1, 100)
      let found = try await overlap.continuation(of: offset, pageSize: limit) { [state] key in
        state.pages(of: tab)?.covers(key) ?? true
      } fetch: { start in
        try await noting.page(of: tab, userId: userId, offset: start, limit: limit)
      }
      guard nextPages.isRunning(number) else { return }
      let isOutdated = loader.readsStores && source.value.isStored
      let isNew = state.append(found, to: tab, source: source.value, isOutdated: isOutdated)
      applyEventsDuringLoads()
      loadLikes(of: found.page.items)
      guard isNew == false, state.pages(of: tab)?.hasMore == true else { return }
      offset = found.isRecovered ? found.end : max(offset, found.end)
      if !found.isRecovered { fruitless += 1 }
    }
    throw PageLimits.standstill(at: offset)
  }

  /// Switches to a user, and clears the content of another one. Also clears the error, so call it before you start
  /// loads.
  private func show(_ userId: String) {
    clearError()
    guard !state.userId.hasSameBytes(as: userId) else { return }
    visit += 1
    tracker?.track("screen_opened", properties: ["screen": "profile"])
    loads.supersede(ProfilePart.allCases)
    nextPages.supersede(ProfilePart.allCases)
    for task in supplementaryLoads.values { task.cancel() }
    state.show(userId)
    (changedParts, eventsDuringLoads) = ([], [])
    updates?.follow(state.liveTopics(upTo: Self.liveTopics))
  }

  /// Starts a load: first from the store, if the services' client has one, and then from the gateway. The result is not
  /// applied to parts that a later load has begun to load.
  private func start(_ parts: [ProfilePart], of userId: String) -> Task<Void, Never> {
    nextPages.supersede(parts)
    let number = loads.begin(parts)
    let task = Task { [loader, currentUserId] in
      let stored = await loader.loadStored(parts, of: userId, viewerId: currentUserId)
      if let stored, !Task.isCancelled { state.applyStored(stored, loads.parts(of: number)) }
      // Before the load, so that no event during the load is missed.
      await updates?.begin()
      let loaded = await loader.loadLatest(parts, of: userId, viewerId: currentUserId, after: stored)
      finish(loads.end(number), loaded)
      loadEnded()
    }
    loads.setTask(task, of: number)
    return task
  }

  /// Applies the result of a load to the parts that it may change.
  private func finish(_ parts: Set<ProfilePart>, _ loaded: LoadedParts) {
    if parts.isEmpty { return }
    loadLikes(of: state.apply(loaded, parts))
    applyEventsDuringLoads()
    report(loaded.reportedFailures.filter { parts.contains($0.part) })
  }

  /// Starts to load the likes of posts.
  private func loadLikes(of posts: [Post]) {
    let ids = posts.map(\.id).withoutRepeats()
    guard !ids.isEmpty else { return }
    let visit = visit
    lastSupplementaryLoad += 1
    let number = lastSupplementaryLoad
    supplementaryLoads[number] = Task { [loader, currentUserId] in
      let marks = await loader.latestMarks(on: ids, viewerId: currentUserId)
      supplementaryLoads[number] = nil
      if visit == self.visit, !Task.isCancelled {
        state.apply(marks)
        applyEventsDuringLoads()
      }
      loadEnded()
    }
  }

  /// Waits until the likes of the loaded posts are loaded.
  func waitForLikes() async { for task in supplementaryLoads.values { await task.value } }

  private var isAnyLoadRunning: Bool { loads.areRunning || nextPages.areRunning || !supplementaryLoads.isEmpty }

  private func loadEnded() {
    if !isAnyLoadRunning {
      state.loadsEnded()
      eventsDuringLoads = []
    }
    updates?.follow(state.liveTopics(upTo: Self.liveTopics))
  }

  // MARK: Live updates

  /// The maximum number of followed topics: the user, and shown posts.
  private static let liveTopics = 50
  /// The maximum number of events that are kept during loads. After more events, everything is loaded again.
  private static let keptEvents = 1000

  /// Starts or stops to show changes by others as they happen: the user's counts, followers, and posts, and the likes
  /// of the shown posts. Call it once, before ``loadUserProfile(userId:)``.
  ///
  /// If events may be missing, for example after a long interruption, everything is loaded again. Without the service
  /// for events, it has no effect.
  public func follow(live isLive: Bool) {
    guard isLive, let events else {
      updates?.stop()
      return updates = nil
    }
    guard updates == nil else { return }
    updates = LiveUpdates(events) { [weak self] update in self?.receive(update) }
    updates?.follow(state.liveTopics(upTo: Self.liveTopics))
  }

  private func receive(_ update: EventUpdate) {
    switch update {
    case .event(let event):
      changedParts.formUnion(state.apply(event))
      keepDuringLoads(event)
    case .resync: changedParts.formUnion(shownParts)
    }
    reloadChangedParts()
  }

  private var shownParts: [ProfilePart] { ProfilePart.allCases.filter { state.shows($0) } }

  private func keepDuringLoads(_ event: Event) {
    guard isAnyLoadRunning else { return }
    eventsDuringLoads.append(event)
    guard eventsDuringLoads.count > Self.keptEvents else { return }
    eventsDuringLoads = []
    changedParts.formUnion(shownParts)
  }

  /// Applies events again, because a load's response may not include them. They contain totals and are in order, so
  /// repeating them does no harm.
  private func applyEventsDuringLoads() { for event in eventsDuringLoads { _ = state.apply(event) } }

  /// Loads the parts that events have changed. Only one such load runs at a time, however many events arrive.
  private func reloadChangedParts() {
    guard !isReloading, !changedParts.isEmpty, let userId = state.userId else { return }
    let parts = ProfilePart.allCases.filter(changedParts.contains)
    changedParts = []
    isReloading = true
    Task { [weak self] in
      await self?.start(parts, of: userId).value
      self?.isReloading = false
      self?.reloadChangedParts()
    }
  }

  // MARK: The viewer's changes

  /// Makes a change as the viewer. Shows it at once; returns when the server has responded.
  func set(_ kind: PendingMutations.Target.Kind, of id: String, to isWanted: Bool) async {
    guard let currentUserId else { return errorMessage = UserMessage.text(.logInFirst) }
    if kind == .follow, currentUserId.hasSameBytes(as: id) { return errorMessage = UserMessage.text(.ownFollow) }
    clearError()
    let visit = visit
    await mutations.set(.init(kind: kind, id: id), to: isWanted, as: currentUserId) {
      self.isAnyLoadRunning
    } onFailure: { what, error in
      if visit == self.visit { self.report(what, error) }
    }
  }

  /// Uploads a new picture of the viewer and then changes their profile. Ignored while an upload is in progress.
  ///
  /// - Parameters:
  ///   - image: the file's bytes, at least one.
  ///   - contentType: the file's media type.
  public func uploadAvatar(image: [UInt8], contentType: String = "image/jpeg") async {
    guard let currentUserId else { return errorMessage = UserMessage.text(.logInFirst) }
    guard !isUploadingAvatar else { return }
    clearError()
    isUploadingAvatar = true
    defer { isUploadingAvatar = false }
    let visit = visit
    do {
      let url = try await media.uploadImage(
        image: image, userId: currentUserId, contentType: contentType, fileName: "avatar")
      let changed = try await loader.users.updateUserProfile(userId: currentUserId, avatarUrl: url)
      if isOwnProfile { state.setAvatar(changed.avatarUrl ?? url) }
    } catch {
      if visit == self.visit { report(.pictureNotChanged, error) }
    }
  }

  // MARK: Errors

  private func report(_ what: UserMessage.Key, _ error: any Error) { report(UserMessage.text(what), error) }

  /// Shows an error, unless it is a cancellation.
  private func report(_ what: String, _ error: any Error) {
    guard let text = UserMessage.text(what, error) else { return }
    errorMessage = text
    if case APIError.unauthorized = error { needsReauthentication = true }
  }

  private func clearError() {
    errorMessage = nil
    needsReauthentication = false
  }

  private func report(_ failures: [LoadedProfile.Failure]) {
    guard let failure = LoadedProfile.mostImportant(failures, isOwnProfile: isOwnProfile) else { return }
    if failure.part == .profile, (failure.error as? APIError)?.meansGone == true {
      return errorMessage = UserMessage.text(.noSuchProfile)
    }
    report(UserMessage.text(.notLoaded, ["parts": failure.names]), failure.error)
  }
}

extension Task where Failure == Never {
  /// Waits for the task, and cancels it when the waiting task is cancelled.
  func valueOrCancelled() async -> Success {
    await withTaskCancellationHandler {
      await value
    } onCancel: {
      cancel()
    }
  }
}
