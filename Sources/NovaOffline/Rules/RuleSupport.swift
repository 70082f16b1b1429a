// What generated rules call.

/// How many items a page has at most: what was asked for, but not more than the maximum, or the default; `.max` where the
/// server chooses.
func pageLimit(_ requested: Int, default standard: Int = .max, maximum: Int = .max) -> Int {
  requested > 0 ? min(requested, maximum) : standard
}

/// Names what a write is about: `Post/post-1`. A name with an empty id is about nothing and left out.
func entities(_ names: (kind: String, ids: [String])...) -> [String] {
  names.filter { !$0.ids.contains("") }.map { ([$0.kind] + $0.ids).joined(separator: "/") }
}

/// Finds a record that was made, on the first page of a list, newest first.
///
/// - Parameters:
///   - records: the page.
///   - limit: how many items it has at most.
///   - firstAttempt: when the record may have been made at the earliest, in Unix seconds of this device's clock; the
///     gateway's may be up to five minutes behind.
///   - time: when a record was made, in Unix seconds.
///   - isSame: whether a record is the one that is looked for.
/// - Returns: `unknown` if the page does not go back far enough to tell, and for an equal record of the five minutes before:
///   the user may have made it with an earlier write. Of several equal records, the oldest: it is the one of the first
///   attempt, and the others are those of later writes.
func made<Record: StoredRecord>(
  among records: [Record], limit: Int, since firstAttempt: Int64, madeAt time: (Record) -> Int64,
  where isSame: (Record) -> Bool
) -> WriteCheck.Finding {
  let start = firstAttempt - 300
  if let record = records.last(where: { time($0) >= firstAttempt && isSame($0) }) { return .done(record: record) }
  if records.contains(where: { time($0) >= start && isSame($0) }) { return .unknown }
  return records.count < limit || records.contains { time($0) < start } ? .notDone : .unknown
}
