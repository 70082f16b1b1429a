import NovaCapture
import NovaContent
import NovaEvents
import NovaSocial
import NovaUsers

/// Applies an event of the gateway to the stored facts. Call within a transaction. Applying an event twice changes
/// nothing more.
///
/// Only stored facts change: an event about something that was never read stores nothing. A late event, such as one
/// that was missed and listed afterwards, may be older than what was read since: its facts lose their age, so that they
/// are read again.
struct AnnouncedChange {
  /// How many seconds an event on a live connection may take before it counts as late.
  private static let longestDelay = 10.0

  private let tables: FactTables
  private let event: Event
  private let isLate: Bool
  private let change: ConfirmedChange

  /// - Parameters:
  ///   - tables: their sequence is the number of this change, among the confirmed writes.
  ///   - serverTime: when the event arrived, in Unix seconds of the gateway's clock, which has dated it.
  init(_ event: Event, _ tables: FactTables, serverTime: Double) {
    (self.event, self.tables) = (event, tables)
    // The event's time is in whole seconds.
    isLate = Double(event.createdAt) < serverTime.rounded(.down) - Self.longestDelay
    // Stored facts can be from before or after the event.
    change = ConfirmedChange(
      tables: tables, began: tables.sequence - 1, startedAt: 0, newID: "", time: event.createdAt, isRepeated: true)
  }

  func apply() throws {
    let rule = OfflineRules.event(event.type)
    if let rule, let relation = rule.relation?(event) { try relate(relation, rule.isRelated) }
    try applyRecord()
    if let doubts = rule?.doubts { try tables.lists.doubt(doubts.list, of: doubts.subject?(event)) }
    for count in rule?.counts ?? [] { try set(event.counts[count.field], count.name(event)) }
    for rpc in rule?.expires ?? [] { try change.expire(rpc) }
  }

  private func applyRecord() throws {
    let (post, comment, text) = (event.postId ?? "", event.commentId ?? "", event.text)
    switch event.kind {
    case .postUpdated: try update(Post.self, post) { $0.content = text ?? $0.content }
    case .postDeleted: try remove(Post.self, post)
    case .commentUpdated: try update(Comment.self, comment) { $0.content = text ?? $0.content }
    case .commentDeleted: try remove(Comment.self, comment, from: post)
    case .profileUpdated: try doubt(UserProfile.self, event.subjectId)
    case .somethingMeaning:
      guard let id = event.somethingId, let text else { return }
      try update(Something.self, String(id)) { $0.meaning = text }
    default: break
    }
  }

  // MARK: Facts

  /// Sets a stored count to the value in the event.
  private func set(_ value: Int64?, _ name: CountName) throws {
    guard let value else { return }
    // Counts with the same subject, such as that of its drafts, can have changed, too.
    if name.key.count > 1 { try tables.numbers.doubt(name.kind, of: name.key.first) }
    guard try tables.numbers.count(name) != nil else { return }
    try tables.numbers.put(name, value, storedAt: isLate ? 0 : tables.now)
  }

  /// Sets a stored relation, and changes the stored lists that it appears in.
  private func relate(_ name: RelationName, _ isRelated: Bool) throws {
    guard let rule = OfflineRules.relation(name.kind) else { return }
    // Only the identity's own relations decide what it may see.
    if tables.user == nil || tables.user == name.a { try tables.doubtVisibility(after: name, isRelated) }
    if try tables.numbers.relation(name) != nil {
      try tables.numbers.put(name, isRelated, storedAt: isLate ? 0 : tables.now)
    }
    for place in rule.lists {
      guard let list = try tables.lists.list(ListName(place.kind, [name[place.key]])) else { continue }
      try move(name[place.item], in: list, isItem: isRelated)
    }
    // The counts in the event are set afterwards.
    for count in rule.counts {
      try tables.numbers.doubt(CountName(count.kind, [name[count.key]]))
    }
  }

  private func move(_ id: String, in list: ListTable.List, isItem: Bool) throws {
    let isShown = try tables.lists.index(of: id, in: list) != nil
    if isShown == isItem, try isShown || tables.lists.knownWholeSince(list) != nil {
      return try tables.lists.keep(list)
    }
    // A list that was read after the event may have the item at an unknown place. The event's time is in whole seconds.
    if isLate || list.storedAt >= tables.now - Int64(Self.longestDelay + 1) * 1000 {
      return try tables.lists.doubt(list)
    }
    if !isItem {
      try tables.lists.remove(id, from: list)
    } else if try list.length == 0 || !tables.lists.items(of: list, in: 0..<1).isEmpty {
      try tables.lists.insertFirst(id, into: list, storedAt: tables.now)
    } else {
      // The beginning of the list is unknown.
      try tables.lists.forgetItems(of: list)
    }
  }

  /// Removes a record everywhere.
  ///
  /// - Parameter subject: the subject of all lists that can have the record; nil if lists about other subjects can.
  private func remove<Record: StoredRecord>(_ type: Record.Type, _ id: String, from subject: String? = nil) throws {
    if case .whole = try tables.records.entry(id, type) { return try change.remove(type, id) }
    // A read may have noted the removal already, without changing lists and counts.
    try tables.records.putGone(Record.kind, id, storedAt: tables.now)
    for kind in OfflineRules.listKinds(of: type) {
      for (list, key) in try tables.lists.all(kind) where subject.map({ JoinedKey.begins(key, with: $0) }) ?? true {
        if try tables.lists.index(of: id, in: list) != nil {
          try tables.lists.remove(id, from: list)
        } else if try tables.lists.knownWholeSince(list) == nil {
          try tables.lists.doubt(list)
        }
      }
      try tables.numbers.doubt(kind, of: subject)
    }
  }

  /// Changes a stored record. The event has only a part of it.
  private func update<Record: StoredRecord>(
    _ type: Record.Type, _ id: String, by body: @escaping @Sendable (inout Record) -> Void
  ) throws {
    if isLate { try doubt(type, id) } else { try change.update(type, id, by: body) }
  }

  /// Takes the age from a stored record.
  private func doubt<Record: StoredRecord>(_ type: Record.Type, _ id: String) throws {
    try change.update(type, id) { _ in }
  }
}
