/// A field's value without its generic type, for output in other forms than JSON, such as tables. The field's descriptor
/// has the protobuf type.
public enum PlainValue: Sendable {
  /// A signed integer of up to 64 bits, or Unix seconds.
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
  /// An enum value. The name is nil if this version does not know the number.
  case enumeration(number: Int32, name: String?)
}
