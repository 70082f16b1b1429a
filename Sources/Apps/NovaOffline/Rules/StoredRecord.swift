package import NovaCore

/// A message with an id: stored once, and shown wherever it occurs. Conformances are generated from `gateway.yaml`.
package protocol StoredRecord: ProtoMessage {
  /// The kind of record. Kind and id are the record's key.
  static var kind: String { get }
  /// Whether ids are numbers.
  static var hasNumericID: Bool { get }
  /// Whether records of this kind can be removed with others of the kind, see ``parentID``.
  static var haveChildren: Bool { get }
  /// The id; a number as text.
  var recordID: String { get }
  /// The lists that the record is in, and the counts that it is counted by.
  var places: [RecordPlace] { get }
  /// The record of the same kind whose removal also removes this one, such as the comment that a reply is to; nil for
  /// none.
  var parentID: String? { get }

  /// Visits the fields that are facts of their own, such as the number of followers.
  mutating func visitFacts(_ facts: any Facts) throws
}

extension StoredRecord {
  package static var hasNumericID: Bool { false }
  package static var haveChildren: Bool { false }
  package var places: [RecordPlace] { [] }
  package var parentID: String? { nil }
  package mutating func visitFacts(_ facts: any Facts) throws {}
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
  mutating func visitFacts(_ facts: any Facts) throws
}

extension RecordPart {
  package mutating func visitFacts(_ facts: any Facts) throws {}
}

/// A list that a record is in, or a count that it is counted by.
package enum RecordPlace: Hashable, Sendable {
  case list(ListName, at: ListEnd?)
  case count(CountName)

  var list: ListName? { if case .list(let name, _) = self { name } else { nil } }
  var count: CountName? { if case .count(let name) = self { name } else { nil } }
}

/// Where new items are put.
package enum ListEnd: Hashable, Sendable {
  case first, last
  /// Items move there with each change.
  case firstChanged, lastChanged

  var isFirst: Bool { self == .first || self == .firstChanged }
  var isInOrderOfChanges: Bool { self == .firstChanged || self == .lastChanged }
}

/// The name of an ordered list: its kind, and its key, for example the user whose followers they are.
package typealias ListName = KeyedName<[String]>

/// The name of a count: its kind, and the key of what it belongs to.
package typealias CountName = KeyedName<Int64>

/// A kind, and a key among the names of the kind. Keys are compared by their bytes.
///
/// `Content` is what has the name. It keeps the names of lists and of counts apart.
package struct KeyedName<Content>: Hashable, Sendable {
  package var kind: String
  package var key: [String]

  package init(_ kind: String, _ key: [String]) {
    self.kind = kind
    self.key = key
  }

  /// The same name with only the first part of the key; nil without one.
  var ofSubject: KeyedName? { key.first.map { KeyedName(kind, [$0]) } }

  package static func == (left: KeyedName, right: KeyedName) -> Bool {
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

  package init(_ kind: String, from a: String, to b: String) {
    self.kind = kind
    self.a = a
    self.b = b
  }

  subscript(side: RelationRule.Side) -> String { side == .a ? a : b }
}

/// The lists that a relation appears in, and the counts that it moves.
package struct RelationRule: Sendable {
  package var kind: String
  /// Lists with `a` or `b` as an item; new items come first. A relation that is not stored is looked up in them.
  package var lists: [(kind: String, item: Side, key: Side)]
  /// Counts that are one higher while the relation is set.
  package var counts: [(kind: String, key: Side)]
  /// Which changes of the relation change what users may see.
  package var visibility: Set<Change> = []

  package enum Side: Sendable { case a, b }

  package enum Change: Sendable { case set, cleared }
}
