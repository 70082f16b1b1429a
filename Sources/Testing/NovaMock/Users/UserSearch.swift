import NovaCore
import NovaUsers

/// A search for users by words in their names.
struct UserSearch {
  /// The quality of a match, best first.
  private enum Rank: Int {
    case wholeName, startOfName, startOfWords, partOfName
  }

  private let text: String
  private let words: [String]

  /// Parses a query; nil without any word.
  init?(_ query: String) {
    words = query.foldedForSearch.split(whereSeparator: \.isWhitespace).map(String.init)
    text = words.joined(separator: " ")
    if words.isEmpty { return nil }
  }

  /// Returns the ids of matching users: best match first, then by number of followers, then by username.
  func results(in state: MockState) -> [String] {
    let hits = state.users.profiles.values.compactMap { profile in
      rank(profile).map { (rank: $0.rawValue, popularity: -state.graph.followers(of: profile.id).count, profile) }
    }
    return hits.sorted {
      ($0.rank, $0.popularity, $0.2.username, $0.2.id) < ($1.rank, $1.popularity, $1.2.username, $1.2.id)
    }.map(\.2.id)
  }

  private func rank(_ profile: UserProfile) -> Rank? {
    let names = [profile.username, profile.displayName ?? ""].map(\.foldedForSearch)
    // Every word must match. This check rejects most users.
    guard words.allSatisfy({ word in names.contains { $0.contains(word) } }) else { return nil }
    if names.contains(text) { return .wholeName }
    if names.contains(where: { $0.hasPrefix(text) }) { return .startOfName }
    let parts = names.flatMap { $0.split { !$0.isLetter && !$0.isNumber } }
    let startsEveryWord = words.allSatisfy { word in parts.contains { $0.hasPrefix(word) } }
    return startsEveryWord ? .startOfWords : .partOfName
  }
}
