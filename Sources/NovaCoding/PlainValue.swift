/// A field's value without its generic type, for writers of other forms than JSON: tables, protobuf's binary form. Which of
/// protobuf's types it has stands in its field's descriptor.
public enum PlainValue: Sendable {
  /// Any integer that 64 bits with a sign hold; Unix seconds, too.
  case integer(Int64)
  /// `uint64` and `fixed64`.
  case unsigned(UInt64)
  case double(Double)
  case float(Float)
  case bool(Bool)
  case string(String)
  case bytes([UInt8])
  case timestamp(Timestamp)
  case duration(Duration)
  case fieldMask(FieldMask)
  /// A `google.protobuf.Value`, `Struct`, `ListValue` or `Any`.
  case json(JSONValue)
  case message(any ProtoMessage)
  /// The name is nil where this version knows none for the number.
  case enumeration(number: Int32, name: String?)
}
