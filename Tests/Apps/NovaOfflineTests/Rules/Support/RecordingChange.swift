import NovaCore
import NovaOffline
import NovaTestSupport

/// Writes down what a write changes, and keeps the records.
final class RecordingChange: Change {
  let newID: String
  let time = MockCaller.start
  private(set) var names: [String] = []
  private(set) var records: [any ProtoMessage] = []
  /// The record that updates start from.
  private let known: (any ProtoMessage)?

  init(newID: String = "-1", known: (any ProtoMessage)? = nil) {
    self.newID = newID
    self.known = known
  }

  func relate(_ name: RelationName, _ isRelated: Bool) {
    names.append("\(isRelated ? "relate" : "unrelate") \(name.text)")
  }

  func set(_ name: CountName, to value: Int64) { names.append("set \(name.text)") }

  func raise(_ name: CountName) { names.append("raise \(name.text)") }

  func create<Record: StoredRecord>(_ record: Record) {
    names.append("create \(Record.kind)/\(record.recordID)")
    records.append(record)
  }

  func update<Record: StoredRecord>(to record: Record) {
    names.append("replace \(Record.kind)/\(record.recordID)")
    records.append(record)
  }

  func update<Record: StoredRecord>(
    _ type: Record.Type, _ id: String, by change: @escaping @Sendable (inout Record) -> Void
  ) {
    names.append("update \(Record.kind)/\(id)")
    var record = known as? Record ?? Record()
    change(&record)
    records.append(record)
  }

  func remove<Record: StoredRecord>(_ type: Record.Type, _ id: String) { names.append("remove \(Record.kind)/\(id)") }

  func expire(_ rpc: String) { names.append("expire \(rpc)") }
}
