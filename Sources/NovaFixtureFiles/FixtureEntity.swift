/// A kind of thing in a world that has files of its own.
public enum FixtureEntity: String, Sendable, Hashable, CaseIterable, Comparable {
  case users, settings, accounts, follows, blocks, mutes, posts, likes, comments, shares, bookmarks, videos, uploads,
    reels, somethings, announcements, feeds

  /// The order of files.
  public static func < (left: Self, right: Self) -> Bool { left.place < right.place }

  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
