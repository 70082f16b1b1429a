/// Visits the facts of an answer. A generated rule names each fact once, and is used in both directions: ``FactStorer``
/// takes the facts from an answer, and ``FactReader`` puts them into one.
package protocol Facts: AnyObject {
  /// A number, such as how many like a post.
  func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number)

  /// A relation.
  func relation(_ name: RelationName, _ value: inout Bool)

  /// Relations of one to many.
  func relations(_ kind: String, from a: String, to others: [String], _ values: inout [String: Bool])

  /// A record. `found` is whether it exists.
  func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool)

  /// A record that is the whole answer.
  func record<Record: StoredRecord>(_ id: String, _ record: inout Record)

  /// Records by id, without ids that do not exist.
  func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record])

  /// Whether a record exists.
  func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool)

  /// A page of ids.
  func page(_ page: PageName, ids: inout [String], end: inout PageEnd)

  /// A page of records.
  func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd)

  /// One value for each id, such as the counts of posts. The gateway's answer may lack ids.
  func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) -> Void)

  /// Records in an answer that is stored as a whole. Records that are gone are removed from it.
  func share<Record: StoredRecord>(_ records: inout [Record])

  /// Parts of records in an answer that is stored as a whole. Parts whose record is gone are removed from it.
  func share<Part: RecordPart>(parts: inout [Part])
}

// A conformance without one of these leaves the facts as they are.
extension Facts {
  package func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number) {}
  package func relation(_ name: RelationName, _ value: inout Bool) {}
  package func relations(_ kind: String, from a: String, to others: [String], _ values: inout [String: Bool]) {}
  package func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool) {}
  package func record<Record: StoredRecord>(_ id: String, _ record: inout Record) {}
  package func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record]) {}
  package func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool) {}
  package func page(_ page: PageName, ids: inout [String], end: inout PageEnd) {}
  package func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd) {}
  package func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) -> Void
  ) {}
  package func share<Record: StoredRecord>(_ records: inout [Record]) {}
  package func share<Part: RecordPart>(parts: inout [Part]) {}

  /// A record that exists whenever there is an answer.
  package func record<Record: StoredRecord>(_ id: String, _ record: inout Record?) {
    var found = true
    self.record(id, &record, found: &found)
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

  package init(_ list: ListName, offset: Int, limit: Int, total: CountName?) {
    self.list = list
    self.offset = offset
    self.limit = limit
    self.total = total
  }
}

/// What an answer states about the rest of a list; nil if it has no field for it.
package struct PageEnd: Hashable, Sendable {
  package var total: Int?
  package var hasMore: Bool?

  package init(total: Int? = nil, hasMore: Bool? = nil) {
    self.total = total
    self.hasMore = hasMore
  }
}
