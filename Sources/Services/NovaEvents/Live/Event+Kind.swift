extension Event {
  /// What happened. Gateways may send kinds that have no name here.
  ///
  /// ```swift
  /// switch event.kind {
  /// case .likeCreated, .likeDeleted: show(likes: event.likeCount)
  /// case .postDeleted: removePost()
  /// default: break
  /// }
  /// ```
  public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The kind as text, for example `like.created`.
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public var description: String { rawValue }

    public static let followCreated = Kind(rawValue: "follow.created")
    public static let followDeleted = Kind(rawValue: "follow.deleted")
    public static let likeCreated = Kind(rawValue: "like.created")
    public static let likeDeleted = Kind(rawValue: "like.deleted")
    public static let commentCreated = Kind(rawValue: "comment.created")
    public static let commentUpdated = Kind(rawValue: "comment.updated")
    public static let commentDeleted = Kind(rawValue: "comment.deleted")
    public static let shareCreated = Kind(rawValue: "share.created")
    public static let postCreated = Kind(rawValue: "post.created")
    public static let postUpdated = Kind(rawValue: "post.updated")
    public static let postDeleted = Kind(rawValue: "post.deleted")
    public static let bookmarkCreated = Kind(rawValue: "bookmark.created")
    public static let bookmarkDeleted = Kind(rawValue: "bookmark.deleted")
    public static let profileUpdated = Kind(rawValue: "profile.updated")
    public static let uploadProgress = Kind(rawValue: "upload.progress")
    public static let uploadCompleted = Kind(rawValue: "upload.completed")
    public static let somethingCreated = Kind(rawValue: "something.created")
    public static let somethingMeaning = Kind(rawValue: "something.meaning")
  }

  /// What happened: the ``type`` as a value to switch over.
  public var kind: Kind { Kind(rawValue: type) }

  /// The subject's current number of followers; nil if it did not change.
  public var followerCount: Int64? {
    get { counts["follower_count"] }
    set { counts["follower_count"] = newValue }
  }

  /// How many users the actor now follows; nil if that did not change.
  public var followingCount: Int64? {
    get { counts["following_count"] }
    set { counts["following_count"] = newValue }
  }

  /// The post's current number of likes; nil if it did not change.
  public var likeCount: Int64? {
    get { counts["like_count"] }
    set { counts["like_count"] = newValue }
  }

  /// The post's current number of comments; nil if it did not change.
  public var commentCount: Int64? {
    get { counts["comment_count"] }
    set { counts["comment_count"] = newValue }
  }

  /// How often the post has been shared; nil if that did not change.
  public var shareCount: Int64? {
    get { counts["share_count"] }
    set { counts["share_count"] = newValue }
  }

  /// The actor's current number of published posts; nil if it did not change.
  public var postCount: Int64? {
    get { counts["post_count"] }
    set { counts["post_count"] = newValue }
  }
}
