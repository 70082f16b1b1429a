@testable import NovaCore
@testable import NovaMedia

/// The bytes are the journal of an upload. What is read of it does not depend on a line that was torn off, and survives a
/// round trip.
enum JournalsTarget {
  static func check(_ bytes: [UInt8]) {
    guard let record = UploadRecord(journal: bytes) else { return }
    require((1...bytes.count).contains(record.length), "\(record.length) of \(bytes.count) bytes are lines")
    require(bytes[record.length - 1] == UInt8(ascii: "\n"), "the last line does not end at \(record.length)")
    let lines = Array(bytes.prefix(record.length))
    for torn in ["", "{", "{\"offset\":1,\"sha256\":\"00\""] {
      require(UploadRecord(journal: lines + torn.utf8) == record, "a line that was torn off changes the record")
    }
    require(record.pending.uploadedBytes <= record.pending.totalBytes, "more is sent than there is")
    // Times are written to the millisecond.
    guard let written = UploadRecord(journal: journal(of: record)) else { fatalError("a written record is refused") }
    require(isSame(written, record), "the record is another one when it has been written: \(written), not \(record)")
    require(UploadRecord(journal: journal(of: written)) == written, "the second round trip changes the record")
  }

  private static func journal(of record: UploadRecord) -> [UInt8] {
    var lines = [record.beginning.json]
    if let start = record.start { lines.append(start.json(at: record.changedAt)) }
    if let position = record.position { lines.append(position.json(at: record.changedAt)) }
    return lines.flatMap { $0.jsonUTF8 + [UInt8(ascii: "\n")] }
  }

  /// Whether two records are the same but for the precision of their times and the lines that no longer count.
  private static func isSame(_ one: UploadRecord, _ other: UploadRecord) -> Bool {
    var one = one
    guard abs(one.beginning.time - other.beginning.time) < 0.002 else { return false }
    one.beginning.time = other.beginning.time
    return one.beginning == other.beginning && one.start == other.start && one.position == other.position
  }
}
