import NovaSupport

/// A message of the contract.
///
/// Conformances are generated from `Proto/`. A message says once, in ``readField(_:from:)`` and ``writeFields(to:)``,
/// which codec each of its fields has; the JSON the gateway speaks and Foundation's `Codable` both come from that.
///
/// ```swift
/// let page = try GetFollowersResponse(jsonUTF8: body)
/// let body = try GetFollowersRequest(userId: "mock-user-id").jsonUTF8()
/// ```
public protocol ProtoMessage: Sendable, Hashable, Codable {
  /// What the contract says about this message: its name and its fields, in order of declaration.
  static var descriptor: MessageDescriptor { get }

  /// A message with every field at its default.
  init()

  /// Reads the value of one field.
  ///
  /// - Parameter index: the field's place in ``descriptor``'s `fields`; any other number is ignored.
  mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure)

  /// Hands every field to `sink` in order of declaration.
  func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure)

  /// Reads the value of one field from JSON. A requirement, so that each message has a specialized copy of
  /// ``readField(_:from:)``: all the rest of reading is compiled once, for every message.
  mutating func readJSONField(_ index: Int, from reader: inout ProtoJSONReader) throws(ProtoJSONError)

  /// Writes every field as JSON. A requirement for the same reason.
  func writeJSONFields(to writer: inout ProtoJSONWriter)
}

extension ProtoMessage {
  @inlinable
  public mutating func readJSONField(_ index: Int, from reader: inout ProtoJSONReader) throws(ProtoJSONError) {
    try readField(index, from: &reader)
  }

  @inlinable
  public func writeJSONFields(to writer: inout ProtoJSONWriter) { writeFields(to: &writer) }
}

extension ProtoMessage {
  public func hash(into hasher: inout Hasher) {
    var sink = HashingSink(hasher: hasher)
    writeFields(to: &sink)
    hasher = sink.hasher
  }
}

/// Hashes a message's fields: in place of the functions that Swift would write for each message.
private struct HashingSink: FieldSink {
  typealias Failure = Never

  var hasher: Hasher

  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) { hasher.combine(value) }
  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) { hasher.combine(value) }
  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) { hasher.combine(values) }
  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    hasher.combine(map)
  }
}

/// Where a message's fields come from, one value at a time.
public protocol FieldSource: ~Copyable {
  /// The error of a value that does not fit.
  associatedtype Failure: Error

  /// Reads a field that is always there.
  mutating func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) throws(Failure)
  /// Reads a field that may be absent.
  mutating func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) throws(Failure)
  /// Reads a repeated field.
  mutating func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) throws(Failure)
  /// Reads a map.
  mutating func read<K: ProtoMapKey, C: ProtoCodec>(
    _ map: inout [K.Value: C.Value], keys: K, values: C
  ) throws(Failure)
}

/// Where a message's fields go, one value at a time.
public protocol FieldSink: ~Copyable {
  /// The error of a value that cannot be written; `Never` for most.
  associatedtype Failure: Error

  /// Writes a field that is always there.
  mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) throws(Failure)
  /// Writes a field that may be absent.
  mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) throws(Failure)
  /// Writes a repeated field.
  mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) throws(Failure)
  /// Writes a map.
  mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) throws(Failure)
}
