/// The facts that an answer is made of. The generated rules name each fact of an answer once; the same rule serves both
/// ways: facts are taken from the answer, or put into it.
package protocol Facts: AnyObject {
  /// A number, such as how many like a post.
  func count<Number: FixedWidthInteger>(_ name: CountName, _ value: inout Number)

  /// A relation.
  func relation(_ name: RelationName, _ value: inout Bool)

  /// Relations of one to many.
  func relations(_ kind: String, _ a: String, to others: [String], _ values: inout [String: Bool])

  /// A record. `found` says whether there is one.
  func record<Record: StoredRecord>(_ id: String, _ record: inout Record?, found: inout Bool)

  /// A record that is the whole answer.
  func record<Record: StoredRecord>(_ id: String, _ record: inout Record)

  /// Records by id, without those that do not exist.
  func records<Record: StoredRecord>(_ ids: [String], _ records: inout [Record])

  /// Whether there is a record.
  func exists<Record: StoredRecord>(_ id: String, as type: Record.Type, _ value: inout Bool)

  /// A page of ids.
  func page(_ page: PageName, ids: inout [String], end: inout PageEnd)

  /// A page of records.
  func page<Record: StoredRecord>(_ page: PageName, records: inout [Record], end: inout PageEnd)

  /// One value for each id, such as the counts of posts. An id may be missing in what the gateway answers.
  func values<Value>(
    for ids: [String], _ values: inout [String: Value], new: () -> Value, visit: (String, inout Value) -> Void)

  /// Records within an answer that is stored as a whole. Those that are gone disappear from it.
  func share<Record: StoredRecord>(_ records: inout [Record])

  /// Parts of records within an answer that is stored as a whole. Those whose record is gone disappear from it.
  func share<Part: RecordPart>(parts: inout [Part])
}

extension Facts {
  /// A record that is there whenever there is an answer.
  package func record<Record: StoredRecord>(_ id: String, _ record: inout Record?) {
    var found = true
    self.record(id, &record, found: &found)
  }
}

/// A page of a list.
package struct PageName: Hashable, Sendable {
  /// The limit of a page whose size the server chooses.
  package static let serversChoice = Int.max
  /// More than any list has, and few enough to compute with.
  package static let longestList = 1 << 40

  package var list: ListName
  package var offset: Int
  /// How many items the page has at most, with the RPC's default and maximum; `.max` where the server chooses.
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

/// What an answer says about the rest of a list; nil where it has no field for it.
package struct PageEnd: Hashable, Sendable {
  package var total: Int?
  package var hasMore: Bool?

  package init(total: Int? = nil, hasMore: Bool? = nil) {
    self.total = total
    self.hasMore = hasMore
  }
}
