public import NovaContent
import NovaMedia

extension World {
  /// The number of posts, including hidden ones.
  public var postCount: Int { postGraph.postCount }

  /// Returns a post's id: `post-1` for index 0.
  public func postID(at index: Int) -> String { "post-\(index + 1)" }

  /// Returns a post.
  public func post(at index: Int) -> Post {
    let author = author(ofPostAt: index)
    let words = words(of: author)
    let created = postTime(index, by: author)
    return Post(
      id: postID(at: index), creatorId: userID(at: author), content: postContent(index, words), createdAt: created,
      updatedAt: entropy.draw(.postEdited, for: index, 1).chance(100)
        ? WorldTime.soon(after: created, entropy.draw(.postEdited, for: index)) : created,
      title: entropy.draw(.postTitle, for: index, 1).chance(150)
        ? entropy.draw(.postTitle, for: index).pick(words.titles) : "",
      privacy: privacy(index), status: status(index), mediaIds: media(ofPostAt: index, by: author))
  }

  /// Returns the author of a post, as an index for ``user(at:)``.
  public func author(ofPostAt index: Int) -> Int { postGraph.author(of: index) }

  /// Returns a user's posts, oldest first, as indices for ``post(at:)``, including drafts and archived posts.
  public func posts(ofUserAt index: Int) -> Range<Int> { postGraph.posts(by: index) }

  /// Returns a user's published posts, oldest first, as indices for ``post(at:)``.
  public func publishedPosts(ofUserAt index: Int) -> [Int] {
    posts(ofUserAt: index).filter { status($0) == "published" }
  }

  /// Whether a post is published and public. Only such posts have likes, comments, shares, and bookmarks.
  func isPublic(_ post: Int) -> Bool { status(post) == "published" && privacy(post) == "public" }

  func postTime(_ index: Int, by author: Int) -> Int64 {
    postTime(index, by: author, among: posts(ofUserAt: author))
  }

  /// Returns the time of a post, given all of the author's posts.
  func postTime(_ index: Int, by author: Int, among all: Range<Int>) -> Int64 {
    WorldTime.step(
      index - all.lowerBound, of: all.count, after: arrival(author), entropy.draw(.postTime, for: index))
  }

  func postContent(_ index: Int, _ words: Words) -> String {
    let sentences = 1 + entropy.draw(.postContent, for: index, 0).lowBelow(3)
    return (1...sentences).map { entropy.draw(.postContent, for: index, $0).pick(words.posts) }.joined(separator: " ")
  }

  func privacy(_ index: Int) -> String {
    switch entropy.draw(.postPrivacy, for: index).below(100) {
    case ..<88: "public"
    case ..<97: "followers"
    default: "private"
    }
  }

  private func status(_ index: Int) -> String {
    switch entropy.draw(.postStatus, for: index).below(100) {
    case ..<94: "published"
    case ..<97: "draft"
    default: "archived"
    }
  }

  private func media(ofPostAt index: Int, by author: Int) -> [String] {
    guard entropy.draw(.postMedia, for: index, 1).chance(250) else { return [] }
    let images = uploads(ofUserAt: author).filter { $0.status == "completed" && $0.contentType == "image/jpeg" }
    return images.isEmpty ? [] : [entropy.draw(.postMedia, for: index).pick(images).id]
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
