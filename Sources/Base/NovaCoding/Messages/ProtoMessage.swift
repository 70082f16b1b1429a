import NovaSupport

/// A message of the contract.
///
/// Conformances are generated from `Proto/`. The methods ``readField(_:from:)`` and ``writeFields(to:)`` define the
/// codec of each field once. Both the gateway's JSON and Foundation's `Codable` are based on them.
///
/// ```swift
/// let page = try GetFollowersResponse(jsonUTF8: body)
/// let body = try GetFollowersRequest(userId: "mock-user-id").jsonUTF8()
/// ```
public protocol ProtoMessage: Sendable, Hashable, Codable {
  /// The message in the contract: its name and its fields, in order of declaration.
  static var descriptor: MessageDescriptor { get }

  /// Creates a message with every field at its default.
  init()

  /// Reads the value of one field.
  ///
  /// - Parameter index: the index of the field in ``descriptor``'s `fields`; any other number is ignored.
  mutating func readField<Source: FieldSource & ~Copyable>(
    _ index: Int, from source: inout Source
  ) throws(Source.Failure)

  /// Passes every field to `sink`, in order of declaration.
  func writeFields<Sink: FieldSink & ~Copyable>(to sink: inout Sink) throws(Sink.Failure)

  /// Reads the value of one field from JSON. A protocol requirement, so that each message has a specialized copy of
  /// ``readField(_:from:)``; the rest of the reader is compiled once for all messages.
  mutating func readJSONField(_ index: Int, from reader: inout ProtoJSONReader) throws(ProtoJSONError)

  /// Writes every field as JSON. A protocol requirement for the same reason.
  func writeJSONFields(to writer: inout ProtoJSONWriter)

  #if GRPC
    /// Reads the value of one field from protobuf's binary format. A protocol requirement for the same reason.
    mutating func readProtobufField(_ index: Int, from reader: inout ProtobufReader) throws(ProtobufError)

    /// Adds the sizes of all fields in protobuf's binary format. A protocol requirement for the same reason.
    func measureProtobufFields(with sizes: inout ProtobufSizes)

    /// Writes every field in protobuf's binary format. A protocol requirement for the same reason.
    func writeProtobufFields(to writer: inout ProtobufWriter)

    /// The fields that the message does not declare. Empty unless it is an ``UnknownFieldKeeping`` one.
    var keptFields: UnknownFields { get }

    /// Keeps a field that the message does not declare. Returns false unless it is an ``UnknownFieldKeeping`` one.
    mutating func keep(_ field: UnsafeBufferPointer<UInt8>) -> Bool
  #endif
}

#if GRPC
  extension ProtoMessage {
    @inlinable
    public mutating func readProtobufField(_ index: Int, from reader: inout ProtobufReader) throws(ProtobufError) {
      try readField(index, from: &reader)
    }

    @inlinable
    public func measureProtobufFields(with sizes: inout ProtobufSizes) { writeFields(to: &sizes) }

    @inlinable
    public func writeProtobufFields(to writer: inout ProtobufWriter) { writeFields(to: &writer) }

    @inlinable
    public var keptFields: UnknownFields { UnknownFields() }

    public mutating func keep(_ field: UnsafeBufferPointer<UInt8>) -> Bool { false }
  }

  extension UnknownFieldKeeping {
    @inlinable
    public var keptFields: UnknownFields { unknownFields }

    public mutating func keep(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
      unknownFields.bytes.append(contentsOf: field)
      return true
    }
  }
#endif

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

/// Hashes a message's fields. Replaces the functions that Swift would synthesize for each message.
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

/// A source of a message's fields, one value at a time.
public protocol FieldSource: ~Copyable {
  /// The error for an invalid value.
  associatedtype Failure: Error

  /// Reads a field that always has a value.
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

/// A destination for a message's fields, one value at a time.
public protocol FieldSink: ~Copyable {
  /// The error for a value that cannot be written; usually `Never`.
  associatedtype Failure: Error

  /// Writes a field that always has a value.
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
