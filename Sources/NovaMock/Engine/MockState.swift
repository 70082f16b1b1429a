import NovaContent
import NovaCore
import NovaUsers

/// Everything the backend remembers.
struct MockState: Sendable {
  var graph = GraphStore()
  /// Profiles by id; counts are filled in when they are read.
  var profiles: [String: UserProfile] = [:]
  var posts: [String: Post] = [:]
  /// Ids of posts by author, oldest first.
  var postsByAuthor: [String: [String]] = [:]
}
