public import NovaContent
import NovaMedia

extension World {
  /// How many posts there are, those that nobody is shown included.
  public var postCount: Int { postShares.stubs }

  /// A post's id: `post-1` is at 0.
  public func postID(at index: Int) -> String { "post-\(index + 1)" }

  /// A post.
  public func post(at index: Int) -> Post {
    let author = author(ofPostAt: index)
    let words = words(of: author)
    let created = postTime(index, by: author)
    return Post(
      id: postID(at: index), creatorId: userID(at: author), content: postContent(index, words), createdAt: created,
      updatedAt: entropy.draw(.postEdited, index, 1).chance(100)
        ? WorldTime.soon(after: created, entropy.draw(.postEdited, index)) : created,
      title: entropy.draw(.postTitle, index, 1).chance(150) ? entropy.draw(.postTitle, index).pick(words.titles) : "",
      privacy: privacy(index), status: status(index), mediaIds: media(ofPostAt: index, by: author))
  }

  /// The author of a post, as a place for ``user(at:)``.
  public func author(ofPostAt index: Int) -> Int { activity(postShares.owner(of: index)) }

  /// The posts of a user, the oldest first, as places for ``post(at:)``; drafts and archived ones included.
  public func posts(ofUserAt index: Int) -> Range<Int> { postShares.stubs(of: activity.inverse(index)) }

  /// Those of them that are published.
  public func publishedPosts(ofUserAt index: Int) -> [Int] {
    posts(ofUserAt: index).filter { status($0) == "published" }
  }

  /// Whether everybody is shown a post: only such posts are liked, commented on, shared and bookmarked.
  func isPublic(_ post: Int) -> Bool { status(post) == "published" && privacy(post) == "public" }

  /// Whether a user may do something with a post of somebody else.
  func mayReact(_ user: Int, to post: Int) -> Bool {
    isPublic(post) && !whoMayNotReact(toPostsBy: author(ofPostAt: post)).contains(user)
  }

  /// Whoever may not do anything with the public posts of a user: that user, and those blocked in either direction.
  func whoMayNotReact(toPostsBy author: Int) -> [Int] {
    graph.blocks.targets(of: author) + graph.blocks.sources(of: author) + [author]
  }

  func postTime(_ index: Int, by author: Int) -> Int64 {
    postTime(index, by: author, amongst: posts(ofUserAt: author))
  }

  /// The same for who knows all of the author's posts.
  func postTime(_ index: Int, by author: Int, amongst all: Range<Int>) -> Int64 {
    WorldTime.step(
      index - all.lowerBound, of: all.count, after: arrival(author), entropy.draw(.postTime, index))
  }

  func postContent(_ index: Int, _ words: Words) -> String {
    let sentences = 1 + entropy.draw(.postContent, index, 0).lowBelow(3)
    return (1...sentences).map { entropy.draw(.postContent, index, $0).pick(words.posts) }.joined(separator: " ")
  }

  func privacy(_ index: Int) -> String {
    switch entropy.draw(.postPrivacy, index).below(100) {
    case ..<88: "public"
    case ..<97: "followers"
    default: "private"
    }
  }

  private func status(_ index: Int) -> String {
    switch entropy.draw(.postStatus, index).below(100) {
    case ..<94: "published"
    case ..<97: "draft"
    default: "archived"
    }
  }

  private func media(ofPostAt index: Int, by author: Int) -> [String] {
    guard entropy.draw(.postMedia, index, 1).chance(250) else { return [] }
    let images = uploads(ofUserAt: author).filter { $0.status == "completed" && $0.contentType == "image/jpeg" }
    return images.isEmpty ? [] : [entropy.draw(.postMedia, index).pick(images).id]
  }
}

extension Field {
  static let postTime = Field("post.created_at")
  static let postContent = Field("post.content")
  static let postTitle = Field("post.title")
  static let postPrivacy = Field("post.privacy")
  static let postStatus = Field("post.status")
  static let postMedia = Field("post.media_ids")
  static let postEdited = Field("post.updated_at")
}
