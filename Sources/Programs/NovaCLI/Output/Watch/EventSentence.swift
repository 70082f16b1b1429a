import NovaSDK

/// An event in words: `ada (user-1) likes post-1 of bob (user-2); 5 likes`.
struct EventSentence {
  private let event: Event
  private let names: [String: String]

  /// - Parameter names: names of users by the `byteKey` of their ids, as far as they are known.
  init(_ event: Event, names: [String: String] = [:]) { (self.event, self.names) = (event, names) }

  var text: String {
    let counts = counts
    return "\(words ?? plain)\(counts.isEmpty ? "" : "; \(counts)")"
  }

  /// What happened; nil for a type that is not known.
  private var words: String? {
    switch event.kind {
    case .followCreated: "\(actor) follows \(subject)"
    case .followDeleted: "\(actor) no longer follows \(subject)"
    case .likeCreated: "\(actor) likes \(post)"
    case .likeDeleted: "\(actor) no longer likes \(post)"
    case .commentCreated: "\(actor) commented on \(post)\(said)"
    case .commentUpdated: "\(actor) edited \(event.commentId ?? "a comment") on \(post)\(said)"
    case .commentDeleted: "\(actor) deleted \(event.commentId ?? "a comment") on \(post)"
    case .shareCreated: "\(actor) shared \(post)"
    case .postCreated: "\(actor) posted \(event.postId ?? "a post")\(said)"
    case .postUpdated: "\(actor) edited \(post)\(said)"
    case .postDeleted: "\(actor) deleted \(post)"
    case .bookmarkCreated: "\(actor) bookmarked \(post)"
    case .bookmarkDeleted: "\(actor) no longer bookmarks \(post)"
    case .profileUpdated:
      "\(actor) changed the profile\(event.subjectId.hasSameBytes(as: event.actorId) ? "" : " of \(subject)")"
    case .uploadProgress: "\(event.uploadId ?? "an upload") of \(subject) goes on\(said)"
    case .uploadCompleted: "\(event.uploadId ?? "an upload") of \(subject) is complete\(said)"
    case .somethingCreated: "\(actor) captured \(something)\(said)"
    case .somethingMeaning: "\(something) of \(subject) has a meaning\(said)"
    default: nil
    }
  }

  /// The event as it is: `poke.created actor_id=ada subject_id=bob`.
  private var plain: String {
    let fields = [
      ("actor_id", event.actorId), ("subject_id", event.subjectId), ("post_id", event.postId ?? ""),
      ("comment_id", event.commentId ?? ""), ("upload_id", event.uploadId ?? ""),
      ("something_id", event.somethingId.map { String($0) } ?? ""), ("text", event.text ?? ""),
    ]
    return ([event.type] + fields.filter { !$0.1.isEmpty }.map { "\($0)=\($1.oneLine)" }).joined(separator: " ")
  }

  private var actor: String { name(event.actorId) }
  private var subject: String { name(event.subjectId) }
  private var something: String { event.somethingId.map { "something \($0)" } ?? "something" }

  /// `post-1`, of whom unless that is the actor.
  private var post: String {
    let post = event.postId ?? "a post"
    return event.subjectId.isEmpty || event.subjectId.hasSameBytes(as: event.actorId) ? post : "\(post) of \(subject)"
  }

  private var said: String {
    guard let text = event.text?.oneLine, !text.isEmpty else { return "" }
    return ": \"\(text.shortened(to: 200))\""
  }

  private func name(_ id: String) -> String {
    if id.isEmpty { return "a user" }
    guard let name = names[id.byteKey], name != id else { return id }
    return "\(name) (\(id))"
  }

  /// `5 likes, 2 comments`: the counts that changed, as they are now.
  private var counts: String {
    event.counts.sorted { $0.key < $1.key }.map { name, count in
      let words = Self.units[name] ?? (name, name)
      return CountText.phrase(Int(count), one: words.0, many: words.1)
    }.joined(separator: ", ")
  }

  private static let units: [String: (String, String)] = [
    "follower_count": ("follower", "followers"), "following_count": ("following", "following"),
    "like_count": ("like", "likes"), "comment_count": ("comment", "comments"), "share_count": ("share", "shares"),
    "post_count": ("post", "posts"),
  ]
}
