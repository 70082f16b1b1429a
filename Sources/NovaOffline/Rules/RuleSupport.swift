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
///   - hasMore: whether the server says that it has more.
///   - total: how many there are, as the server says.
///   - limit: how many items the page has at most.
///   - firstAttempt: when the record may have been made at the earliest, in Unix seconds of this device's clock; the
///     gateway's may be up to five minutes behind.
///   - time: when a record was made, in Unix seconds; 0 if it does not say.
///   - isAlike: whether a record could be it after the server has changed its texts.
///   - isSame: whether a record is the one that is looked for.
/// - Returns: `unknown` if the page does not go back far enough to tell; for an equal record of the five minutes before, or
///   without a time: the user may have made it with an earlier write; and for one like it since then. Of several equal
///   records, the oldest: it is the one of the first attempt, and the others are those of later writes.
func made<Record: StoredRecord>(
  among records: [Record], hasMore: Bool = false, total: Int = 0, limit: Int, since firstAttempt: Int64,
  madeAt time: (Record) -> Int64, resembling isAlike: (Record) -> Bool, where isSame: (Record) -> Bool
) -> WriteCheck.Finding {
  let start = firstAttempt - 300
  if let record = records.last(where: { time($0) >= firstAttempt && isSame($0) }) { return .done(record: record) }
  if records.contains(where: { (time($0) >= start || time($0) == 0) && isAlike($0) }) { return .unknown }
  let isWhole = !hasMore && total <= records.count && records.count < limit
  return isWhole || records.contains { time($0) != 0 && time($0) < start } ? .notDone : .unknown
}

/// Whether two texts are the same. To some backends, absent and empty are.
func isSame(_ text: String?, _ other: String?) -> Bool { (text ?? "") == (other ?? "") }

/// Whether a text can be one that a server has shortened, cleaned, moderated, or put links into: half of the words of the
/// shorter one are in both.
func resembles(_ text: String?, _ sent: String?) -> Bool {
  let (words, sentWords) = (words(of: text ?? ""), words(of: sent ?? ""))
  // Where nothing was sent, a server adds nothing.
  if sentWords.isEmpty { return words.isEmpty }
  return words.intersection(sentWords).count * 2 >= min(words.count, sentWords.count)
}

private func words(of text: String) -> Set<Substring> {
  Set(text.lowercased().split { !$0.isLetter && !$0.isNumber })
}
