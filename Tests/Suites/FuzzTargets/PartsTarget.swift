@testable import NovaCore
@testable import NovaMedia

/// The bytes are the record beside the part of a download, which survives a round trip.
enum PartsTarget {
  static func check(_ bytes: [UInt8]) {
    guard let record = PartRecord(bytes) else { return }
    guard let again = PartRecord(record.json) else { fatalError("a written record is refused: \(record)") }
    require(again == record, "the record is another one when it has been written: \(again), not \(record)")
    require(record.head.total ?? 0 >= 0, "the file has \(record.head.total ?? 0) bytes")
    // What is sent back to the server is one header.
    guard let text = record.head.validator?.text else { return }
    require(text.isPrintable, "the validator has control characters")
  }
}
