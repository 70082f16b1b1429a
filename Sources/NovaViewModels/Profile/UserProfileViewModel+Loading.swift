import NovaContent
import NovaCore
import NovaUsers

extension UserProfileViewModel {
  /// Shows a user: loads profile, followers, following, posts and bookmarks, all at the same time, and what the viewer
  /// likes of it after that.
  ///
  /// Another user's content is gone at once; the same user's stays until the new one is there. A load that is under way
  /// is cancelled. A part that fails does not hide the others: ``errorMessage`` names it. Returns when the parts are
  /// there, or the load was superseded or its task cancelled.
  public func loadUserProfile(userId: String) async {
    show(userId)
    async let liked: Void = selectedTab == .liked ? loadContent(for: .liked) : ()
    let parts = ProfilePart.allCases.filter { $0 != .liked }
    await load(parts, { [loader, currentUserId] in await loader.load(userId: userId, viewerId: currentUserId) }) {
      $0.apply($1, $2)
    }
    await liked
  }

  /// Loads who follows a user, in place of what was there.
  ///
  /// - Parameter userId: whose followers; for another user than the one shown, that user is shown from now on. Default:
  ///   the user who is shown.
  public func loadFollowers(userId: String? = nil) async {
    guard let userId = userId ?? self.userId else { return }
    show(userId)
    await load([.followers], { [loader] in await result { try await loader.followers(of: userId) } }) {
      $0.apply(.followers, \.followers, $1, $2)
    }
  }

  /// Loads whom a user follows, in place of what was there.
  ///
  /// - Parameter userId: who follows; for another user than the one shown, that user is shown from now on. Default: the
  ///   user who is shown.
  public func loadFollowing(userId: String? = nil) async {
    guard let userId = userId ?? self.userId else { return }
    show(userId)
    await load([.following], { [loader] in await result { try await loader.following(of: userId) } }) {
      $0.apply(.following, \.following, $1, $2)
    }
  }

  /// Loads the first page of a tab of the user who is shown, in place of what was there.
  public func loadContent(for tab: ContentTab) async {
    guard let userId else { return }
    forgetError()
    await load([tab.part], { [loader] in await result { try await loader.page(of: tab, userId: userId) } }) {
      $0.apply(tab, $1, $2)
    }
  }

  /// Returns once the likes of what is shown are there.
  func waitForLikes() async { for task in ornaments.values { await task.value } }

  // MARK: How loads run

  /// Another user is shown from now on, and nothing of the one before; or the same.
  private func show(_ userId: String) {
    forgetError()
    guard userId != self.userId else { return }
    visit += 1
    loads.supersede(ProfilePart.allCases)
    nextPages.supersede(ProfilePart.allCases)
    for task in ornaments.values { task.cancel() }
    self.userId = userId
    (profile, isFollowed, followers, following) = (nil, nil, nil, nil)
    (pages, marks, takenOut) = ([:], [:], [:])
  }

  /// Runs a load, whose value is applied only to the parts for which no later load was begun.
  private func load<Value: Sendable>(
    _ parts: [ProfilePart], _ get: @escaping @Sendable () async -> Value,
    _ apply: @escaping @MainActor (UserProfileViewModel, Value, Set<ProfilePart>) -> Void
  ) async {
    nextPages.supersede(parts)
    let number = loads.begin(parts)
    let task = Task {
      let value = await get()
      let parts = loads.end(number)
      if !parts.isEmpty { apply(self, value, parts) }
      forgetSettled()
    }
    loads.run(number, task)
    await task.valueOrCancelled()
  }

  /// Loads how often posts are liked and whether by the viewer; nobody waits for that.
  func loadLikes(of posts: [Post]) {
    var seen: Set<String> = []
    let ids = posts.map(\.id).filter { seen.insert($0).inserted }
    guard !ids.isEmpty else { return }
    let visit = visit
    lastOrnament += 1
    let number = lastOrnament
    ornaments[number] = Task { [loader, currentUserId] in
      let marks = await loader.marks(on: ids, viewerId: currentUserId)
      ornaments[number] = nil
      if visit == self.visit, !Task.isCancelled { apply(marks) }
      forgetSettled()
    }
  }
}

extension Task<Void, Never> {
  /// Waits for the task, and cancels it when the waiting task is cancelled.
  func valueOrCancelled() async {
    await withTaskCancellationHandler {
      await value
    } onCancel: {
      cancel()
    }
  }
}

/// What `load` gives or throws.
func result<Value: Sendable>(_ load: () async throws -> Value) async -> Result<Value, any Error> {
  do { return .success(try await load()) } catch { return .failure(error) }
}
