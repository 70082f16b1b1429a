import NovaContent
import NovaCore

extension UserProfileViewModel {
  /// Loads the next page of the tab in front; the first, if there is none yet. Nothing happens at the end of the list
  /// and while the tab is being loaded or has a next page on its way. No post comes twice.
  public func loadMore() async {
    let tab = selectedTab
    guard let userId, !loads.isLoading(tab.part), !nextPages.isLoading(tab.part) else { return }
    guard let first = pages[tab] else { return await loadContent(for: tab) }
    guard first.hasMore else { return }
    let number = nextPages.begin([tab.part])
    let task = Task {
      do { try await appendPages(tab, userId, number) } catch {
        report("More posts could not be loaded.", error, number)
      }
      _ = nextPages.end(number)
      forgetSettled()
    }
    nextPages.run(number, task)
    await task.valueOrCancelled()
  }

  private func appendPages(_ tab: ContentTab, _ userId: String, _ number: Int) async throws {
    // What is being removed may be gone from the server's list already: the overlap is dropped.
    var offset = max(0, (pages[tab]?.covered ?? 0) - removals(from: tab))
    var isNew = false
    while !isNew {
      let page = try await loader.page(of: tab, userId: userId, offset: offset)
      guard nextPages.isUnderWay(number), var all = pages[tab] else { return }
      isNew = all.append(page, from: offset)
      pages[tab] = all
      loadLikes(of: page.items)
      guard all.hasMore else { return }
      offset += page.coveredCount
    }
  }

  private func removals(from tab: ContentTab) -> Int {
    guard isOwnProfile, tab != .posts else { return 0 }
    let kind: Wishes.Target.Kind = tab == .saved ? .bookmark : .like
    return wishes.underWay.filter { $0.key.kind == kind && !$0.value.isWanted }.count
  }

  private func report(_ what: String, _ error: any Error, _ number: Int) {
    if nextPages.isUnderWay(number) { tell(what, error) }
  }
}
