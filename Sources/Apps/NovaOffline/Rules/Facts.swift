/// Visits the facts of an answer. A generated rule names each fact once, and is used in both directions: ``FactStorer``
/// takes the facts from an answer, and ``FactReader`` puts them into one. An error ends the visit.
package protocol Facts {
  /// A number, such as how many like a post.
  func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number) throws

  /// A relation.
  func relation(_ name: RelationName, _ value: inout Bool) throws

  /// Relations of one to many.
  func relations(_ kind: String, from a: String, to others: [String], _ values: inout [String: Bool]) throws

  /// A record. `found` is whether it exists.
  func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool) throws

  /// A record that is the whole answer.
  func record<Record: StoredRecord>(_ id: String, _ record: inout Record) throws

  /// Records by id, without ids that do not exist.
  func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record]) throws

  /// Whether a record exists.
  func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool) throws

  /// A page of ids.
  func page(_ page: PageName, ids: inout [String], end: inout PageEnd) throws

  /// A page of records.
  func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd) throws

  /// One value for each id, such as the counts of posts. The gateway's answer may lack ids.
  func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) throws -> Void
  ) throws

  /// Records in an answer that is stored as a whole. Records that are gone are removed from it.
  func share<Record: StoredRecord>(_ records: inout [Record]) throws

  /// Parts of records in an answer that is stored as a whole. Parts whose record is gone are removed from it.
  func share<Part: RecordPart>(parts: inout [Part]) throws
}

// A conformance without one of these leaves the facts as they are.
extension Facts {
  package func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number) throws {}
  package func relation(_ name: RelationName, _ value: inout Bool) throws {}
  package func relations(_ kind: String, from a: String, to others: [String], _ values: inout [String: Bool]) throws {}
  package func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool) throws {}
  package func record<Record: StoredRecord>(_ id: String, _ record: inout Record) throws {}
  package func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record]) throws {}
  package func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool) throws {}
  package func page(_ page: PageName, ids: inout [String], end: inout PageEnd) throws {}
  package func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd) throws {}
  package func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) throws -> Void
  ) throws {}
  package func share<Record: StoredRecord>(_ records: inout [Record]) throws {}
  package func share<Part: RecordPart>(parts: inout [Part]) throws {}

  /// A record that exists whenever there is an answer.
  package func record<Record: StoredRecord>(_ id: String, _ record: inout Record?) throws {
    var found = true
    try self.record(id, &record, found: &found)
  }
}

/// A page of a list.
package struct PageName: Hashable, Sendable {
  /// The limit of a page whose size the server chooses.
  package static let serversChoice = Int.max
  /// More items than any list has, and few enough to add without overflow.
  package static let longestList = 1 << 40

  package var list: ListName
  package var offset: Int
  /// The largest number of items, by the RPC's default and maximum; `.max` if the server chooses.
  package var limit: Int
  /// The count that is the list's total; nil for lists without a total.
  package var total: CountName?
}

/// What an answer states about the rest of a list; nil if it has no field for it.
package struct PageEnd: Hashable, Sendable {
  package var total: Int?
  package var hasMore: Bool?
}
