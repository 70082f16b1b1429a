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

/// Tells from the first page of a list, newest first, whether a record was made.
///
/// - Parameters:
///   - records: the page.
///   - limit: how many items it has at most.
///   - firstAttempt: when the record may have been made at the earliest, in Unix seconds of this device's clock; the
///     gateway's may be up to five minutes behind.
///   - time: when a record was made, in Unix seconds.
///   - isSame: whether a record is the one that is looked for.
/// - Returns: nil if the page does not go back far enough to tell.
func isMade<Record>(
  among records: [Record], limit: Int, since firstAttempt: Int64, madeAt time: (Record) -> Int64,
  where isSame: (Record) -> Bool
) -> Bool? {
  let start = firstAttempt - 300
  if records.contains(where: { time($0) >= start && isSame($0) }) { return true }
  return records.count < limit || records.contains { time($0) < start } ? false : nil
}
