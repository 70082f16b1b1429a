/// The tabs of a profile.
public enum ContentTab: String, CaseIterable, Sendable, Hashable {
  /// What the user wrote, as far as it is published, newest first.
  case posts
  /// What the user bookmarked, newest bookmark first.
  case saved
  /// What the user likes, newest like first.
  case liked
}
