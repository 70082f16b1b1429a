import NovaCapture
import NovaContent
import NovaEvents
import NovaSocial
import NovaUsers

/// Applies what the gateway's events say to the stored facts. Call within a transaction. Applying an event twice changes
/// nothing more.
///
/// Only what is stored is changed: an event about something that was never read stores nothing. A late event, such as
/// one that was missed and listed afterwards, may be older than what was read meanwhile: what it is about gets no age, so
/// that it is read again.
struct AnnouncedChange {
  /// How many seconds events of a live connection may take, with clocks that differ a little.
  private static let longestDelay: Int64 = 10

  private let tables: FactTables
  private let event: Event
  private let sequence: Int64
  private let isLate: Bool
  private let change: ConfirmedChange

  /// - Parameter sequence: the number of this change, among the confirmed writes.
  init(_ event: Event, _ tables: FactTables, sequence: Int64) {
    (self.event, self.tables, self.sequence) = (event, tables, sequence)
    isLate = event.createdAt < tables.now / 1000 - Self.longestDelay
    // What is stored can be from before or after the event.
    change = ConfirmedChange(
      tables, sequence: sequence, began: sequence - 1, startedAt: 0, newID: "", time: event.createdAt, isRepeated: true)
  }

  func apply() throws {
    let (actor, subject, post) = (event.actorId, event.subjectId, event.postId ?? "")
    switch event.type {
    case "follow.created", "follow.deleted":
      try relate(RelationName("follows", actor, subject), event.type == "follow.created")
      for rpc in ["feed.GetFeed", "feed.GetRecommendedCreators", "user.CheckUserRelationship"] { change.expire(rpc) }
      try set("following_count", CountName("following", [actor]))
      try set("follower_count", CountName("followers", [subject]))
    case "like.created", "like.deleted":
      try relate(RelationName("likes", actor, post), event.type == "like.created")
      try set("like_count", CountName("likers", [post]))
    case "bookmark.created", "bookmark.deleted":
      try relate(RelationName("bookmarks", actor, post), event.type == "bookmark.created")
    case "share.created":
      try relate(RelationName("shared", actor, post), true)
      try set("share_count", CountName("shares", [post]))
    case "comment.created", "comment.updated", "comment.deleted": try applyComment(event.commentId ?? "", on: post)
    case "post.created", "post.updated", "post.deleted": try applyPost(post, of: actor)
    case "profile.updated": try doubt(UserProfile.self, subject)
    case "something.created": try tables.lists.doubt("somethings", sequence: sequence)
    case "something.meaning":
      guard let id = event.somethingId, let meaning = event.text else { return }
      try update(Something.self, String(id)) { $0.meaning = meaning }
    default: break
    }
    if let failure = change.failure { throw failure }
  }

  private func applyPost(_ post: String, of author: String) throws {
    switch event.type {
    case "post.deleted": try remove(Post.self, post)
    case "post.updated": try update(Post.self, post) { [text = event.text] in $0.content = text ?? $0.content }
    default: try tables.lists.doubt("posts", of: author, sequence: sequence)
    }
    if event.counts["post_count"] != nil { try tables.numbers.doubt("posts", of: author) }
    try set("post_count", CountName("posts", [author, "published"]))
    change.expire("feed.GetFeed")
  }

  private func applyComment(_ comment: String, on post: String) throws {
    switch event.type {
    case "comment.deleted": try remove(Comment.self, comment, from: post)
    case "comment.updated":
      try update(Comment.self, comment) { [text = event.text] in $0.content = text ?? $0.content }
    default: try tables.lists.doubt("comments", of: post, sequence: sequence)
    }
    try set("comment_count", CountName("comments", [post]))
  }

  // MARK: Facts

  /// Sets a count that is stored to what the event says.
  private func set(_ field: String, _ name: CountName) throws {
    guard let value = event.counts[field], try tables.numbers.count(name) != nil else { return }
    try tables.numbers.put(name, value, sequence: sequence, storedAt: isLate ? 0 : tables.now)
  }

  /// Sets a relation if it is stored, and moves the stored lists that it appears in.
  private func relate(_ name: RelationName, _ isRelated: Bool) throws {
    guard let rule = OfflineRules.relation(name.kind) else { return }
    if try tables.numbers.relation(name) != nil {
      try tables.numbers.put(name, isRelated, sequence: sequence, storedAt: isLate ? 0 : tables.now)
    }
    for place in rule.lists {
      guard let list = try tables.lists.list(ListName(place.kind, [name[place.key]])) else { continue }
      try move(name[place.item], in: list, isItem: isRelated)
    }
    // Those that the event has are set afterwards.
    for count in rule.counts {
      try tables.numbers.move(
        CountName(count.kind, [name[count.key]]), by: 0, sequence: sequence, notCountedAt: 0)
    }
  }

  private func move(_ id: String, in list: ListTable.List, isItem: Bool) throws {
    let isShown = try tables.lists.index(of: id, in: list) != nil
    if isShown == isItem, try isShown || tables.lists.knownWholeSince(list) != nil {
      return try tables.lists.keep(list, sequence: sequence)
    }
    // Read after the event, it could have the item at a place that is not known. The event's time has no parts of seconds.
    if isLate || list.storedAt >= tables.now - (Self.longestDelay + 1) * 1000 {
      return try tables.lists.doubt(list, sequence: sequence)
    }
    if !isItem {
      try tables.lists.remove(id, from: list, sequence: sequence)
    } else if try list.length == 0 || !tables.lists.items(of: list, in: 0..<1).isEmpty {
      try tables.lists.insertFirst(id, into: list, sequence: sequence, storedAt: tables.now)
    } else {
      // Where the list begins is not known.
      try tables.lists.forgetItems(of: list, sequence: sequence)
    }
  }

  /// Removes a record everywhere.
  ///
  /// - Parameter subject: what all lists with it are about; nil if there are others.
  private func remove<Record: StoredRecord>(_ type: Record.Type, _ id: String, from subject: String? = nil) throws {
    if case .whole = try tables.records.entry(id, type) { return change.remove(type, id) }
    // A read can have shown before that it is gone, and left lists and counts as they were.
    try tables.records.putGone(Record.kind, id, sequence: sequence, storedAt: tables.now)
    for kind in OfflineRules.listKinds(of: type) {
      for (list, key) in try tables.lists.all(kind) where subject.map({ JoinedKey.begins(key, with: $0) }) ?? true {
        if try tables.lists.index(of: id, in: list) != nil {
          try tables.lists.remove(id, from: list, sequence: sequence)
        } else if try tables.lists.knownWholeSince(list) == nil {
          try tables.lists.doubt(list, sequence: sequence)
        }
      }
      try tables.numbers.doubt(kind, of: subject)
    }
  }

  /// Changes a stored record, of which the event says only a part.
  private func update<Record: StoredRecord>(
    _ type: Record.Type, _ id: String, by body: @escaping @Sendable (inout Record) -> Void
  ) throws {
    if isLate { try doubt(type, id) } else { change.update(type, id, by: body) }
  }

  /// Lets a stored record be read again.
  private func doubt<Record: StoredRecord>(_ type: Record.Type, _ id: String) throws {
    change.update(type, id) { _ in }
  }
}
