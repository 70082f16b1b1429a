// Functions that generated rules call.

/// The largest number of items of a page: the requested one up to the maximum, or the default; `.max` if the server
/// chooses.
func pageLimit(_ requested: Int, default standard: Int = .max, maximum: Int = .max) -> Int {
  requested > 0 ? min(requested, maximum) : standard
}

/// Names what a write is about: `Post/post-1`. Leaves out names with an empty id.
func entities(_ names: (kind: String, ids: [String])...) -> [String] {
  names.filter { !$0.ids.contains("") }.map { ([$0.kind] + $0.ids).joined(separator: "/") }
}

/// Finds the record that a write has created, on the first page of a list, newest first.
///
/// - Parameters:
///   - records: the page.
///   - hasMore: whether the server reports more records.
///   - total: the number of records that the server reports.
///   - limit: the largest number of items of the page.
///   - firstAttempt: the earliest time at which the record can have been created, in Unix seconds of this device's
///     clock; the gateway's may be up to five minutes slow.
///   - time: returns when a record was created, in Unix seconds; 0 if that is unknown.
///   - isAlike: whether a record could be the one after the server has changed its texts.
///   - isSame: whether a record is equal to the one that the write creates.
/// - Returns: the oldest of the equal records since the first attempt: that of the first attempt, because the others
///   come from later writes. `unknown` if the page does not go back far enough, if there is a similar record since
///   then, or an equal one from the five minutes before or without a time, which an earlier write may have created.
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

/// Whether two texts are the same. For some backends, absent and empty texts are.
func isSame(_ text: String?, _ other: String?) -> Bool { (text ?? "") == (other ?? "") }

/// Whether a text can be a sent one that the server has shortened, cleaned, moderated, or extended by links: both have
/// half of the words of the shorter one.
func resembles(_ text: String?, _ sent: String?) -> Bool {
  let (words, sentWords) = (words(of: text ?? ""), words(of: sent ?? ""))
  // To an empty text, a server adds nothing.
  if sentWords.isEmpty { return words.isEmpty }
  return words.intersection(sentWords).count * 2 >= min(words.count, sentWords.count)
}

private func words(of text: String) -> Set<Substring> {
  Set(text.lowercased().split { !$0.isLetter && !$0.isNumber })
}
