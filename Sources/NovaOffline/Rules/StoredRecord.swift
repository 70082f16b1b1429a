package import NovaCore

/// A message with an identity: stored once, and shown wherever it occurs. Conformances are generated from `gateway.yaml`.
package protocol StoredRecord: ProtoMessage {
  /// Names the kind of record; with the id, its key.
  static var kind: String { get }
  /// Whether ids are numbers.
  static var hasNumericID: Bool { get }
  /// Whether records can go away with others of the kind, see ``parentID``.
  static var haveChildren: Bool { get }
  /// The id; a number as text.
  var recordID: String { get }
  /// The lists that the record is in, and the counts that it is counted by.
  var places: [RecordPlace] { get }
  /// The record of the same kind that this one goes away with, such as the comment that a reply is to; nil for none.
  var parentID: String? { get }

  /// Visits the fields that are facts of their own, such as the number of followers.
  mutating func visitFacts(_ facts: any Facts)
}

extension StoredRecord {
  package static var hasNumericID: Bool { false }
  package static var haveChildren: Bool { false }
  package var places: [RecordPlace] { [] }
  package var parentID: String? { nil }
  package mutating func visitFacts(_ facts: any Facts) {}
}

/// A message that shows parts of a record, such as a post in the feed.
package protocol RecordPart: ProtoMessage {
  /// The record that this is a part of.
  associatedtype Whole: StoredRecord

  var recordID: String { get }

  /// Puts the fields that both have into the record.
  func update(_ record: inout Whole)
  /// Takes the fields that both have from the record.
  mutating func take(from record: Whole)
  /// Visits the fields that are facts of their own.
  mutating func visitFacts(_ facts: any Facts)
}

extension RecordPart {
  package mutating func visitFacts(_ facts: any Facts) {}
}

/// A list that a record is in, or a count that it is counted by.
package enum RecordPlace: Hashable, Sendable {
  case list(ListName, at: ListEnd?)
  case count(CountName)
}

/// Where new items are put; nil where that cannot be told.
package enum ListEnd: Hashable, Sendable {
  case first, last
  /// Items go there again with each change.
  case firstChanged, lastChanged

  var isFirst: Bool { self == .first || self == .firstChanged }
  var isInOrderOfChanges: Bool { self == .firstChanged || self == .lastChanged }
}

/// An ordered list: its kind, and what tells it from others of the kind, for example whose followers they are.
package struct ListName: Hashable, Sendable {
  package var kind: String
  package var key: [String]

  package init(_ kind: String, _ key: [String]) {
    self.kind = kind
    self.key = key
  }

  package static func == (left: ListName, right: ListName) -> Bool {
    left.kind == right.kind && left.key.haveSameBytes(as: right.key)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for part in key { hasher.combine(bytesOf: part) }
  }
}

/// A count: its kind, and what is counted for.
package struct CountName: Hashable, Sendable {
  package var kind: String
  package var key: [String]

  package init(_ kind: String, _ key: [String]) {
    self.kind = kind
    self.key = key
  }

  package static func == (left: CountName, right: CountName) -> Bool {
    left.kind == right.kind && left.key.haveSameBytes(as: right.key)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(kind)
    for part in key { hasher.combine(bytesOf: part) }
  }
}

/// Whether `a` has a relation to `b`, for example whether a user follows another.
package struct RelationName: Hashable, Sendable {
  package var kind: String
  @ExactText package var a: String
  @ExactText package var b: String

  package init(_ kind: String, _ a: String, _ b: String) {
    self.kind = kind
    self.a = a
    self.b = b
  }
}

/// The lists that a relation appears in, and the counts that it moves.
package struct RelationRule: Sendable {
  package var kind: String
  /// Lists with `a` or `b` as an item; new items come first. A relation that is not known itself is looked up in them.
  package var lists: [(kind: String, item: Side, key: Side)]
  /// Counts that are one higher while the relation holds.
  package var counts: [(kind: String, key: Side)]
  /// Which changes of the relation change what users may see.
  package var visibility: Set<Change>

  package enum Side: Sendable { case a, b }

  package enum Change: Sendable { case set, cleared }

  package init(
    _ kind: String, lists: [(kind: String, item: Side, key: Side)], counts: [(kind: String, key: Side)],
    visibility: Set<Change> = []
  ) {
    self.kind = kind
    self.lists = lists
    self.counts = counts
    self.visibility = visibility
  }
}
