public import NovaContent
import NovaCore

extension UserProfileViewModel {
  /// The posts that are loaded and have every word of a query in title or text: first those of the tab in front, then
  /// those of the other tabs, each post once. Case and diacritics make no difference, and words may be parts of words:
  /// `cafe` finds "Cafés". No word finds nothing. Nothing is sent.
  public func searchInProfile(query: String) -> [Post] {
    let words = query.foldedForSearch.split(whereSeparator: \.isWhitespace)
    guard !words.isEmpty else { return [] }
    var seen: Set<String> = []
    let tabs = [selectedTab] + ContentTab.allCases.filter { $0 != selectedTab }
    return tabs.flatMap { posts(of: $0) }.filter { post in
      guard seen.insert(post.id).inserted else { return false }
      let text = "\(post.title) \(post.content)".foldedForSearch
      return words.allSatisfy { text.contains($0) }
    }
  }
}
