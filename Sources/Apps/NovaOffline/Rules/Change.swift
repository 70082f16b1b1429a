/// Takes the effect of a write. A generated rule names each effect once, and is used twice: while the write waits,
/// ``OverlayChange`` collects the effect, to show it on top of the stored facts; when the gateway has confirmed the
/// write, ``ConfirmedChange`` applies the effect to them.
package protocol Change {
  /// The id of a record that the write creates, until the gateway has given it one.
  var newID: String { get }
  /// When the write was made, in Unix seconds.
  var time: Int64 { get }

  /// Sets a relation, and changes the lists and counts that it appears in, unless it is set already.
  func relate(_ name: RelationName, _ isRelated: Bool) throws
  /// Sets a count to the gateway's value.
  func set(_ name: CountName, to value: Int64) throws
  /// Raises a count.
  func raise(_ name: CountName) throws
  /// Adds a record to its places.
  func create<Record: StoredRecord>(_ record: Record) throws
  /// Replaces a record by the gateway's.
  func update<Record: StoredRecord>(to record: Record) throws
  /// Changes a record, if it is known.
  func update<Record: StoredRecord>(
    _ type: Record.Type, _ id: String, by change: @escaping @Sendable (inout Record) -> Void) throws
  /// Removes a record everywhere.
  func remove<Record: StoredRecord>(_ type: Record.Type, _ id: String) throws
  /// Takes the age from the stored answers of an RPC.
  func expire(_ rpc: String) throws
}
