/// What a write changes. The generated rules name each effect once; it is applied to the stored facts when the gateway
/// has confirmed the write, and shown on top of them while the write waits.
package protocol Change: AnyObject {
  /// The id of a record that the write creates, until the gateway has given it one.
  var newID: String { get }
  /// When the write was made, in Unix seconds.
  var time: Int64 { get }

  /// Sets a relation, and moves the lists and counts that it appears in, unless it holds already.
  func relate(_ name: RelationName, _ isRelated: Bool)
  /// Sets a count to what the gateway says.
  func set(_ name: CountName, to value: Int64)
  /// Raises a count.
  func raise(_ name: CountName)
  /// Adds a record to its places.
  func create<Record: StoredRecord>(_ record: Record)
  /// Replaces a record by what the gateway says.
  func update<Record: StoredRecord>(to record: Record)
  /// Changes a record, if it is known.
  func update<Record: StoredRecord>(
    _ type: Record.Type, _ id: String, by change: @escaping @Sendable (inout Record) -> Void)
  /// Removes a record everywhere.
  func remove<Record: StoredRecord>(_ type: Record.Type, _ id: String)
  /// Lets stored answers of an RPC count as too old.
  func expire(_ rpc: String)
}
