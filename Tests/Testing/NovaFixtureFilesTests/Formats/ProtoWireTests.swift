import NovaCore
import Testing

@testable import NovaFixtureFiles

/// Protobuf's binary form, byte by byte: what no file of ours has is held here.
@Suite struct ProtoWireTests {
  @Test(arguments: [
    (PlainValue.integer(150), FieldKind.int32, [0x08, 0x96, 0x01]),
    (.integer(-1), .int64, [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x01]),
    (.integer(-1), .sint32, [0x08, 0x01]),
    (.integer(Int64.min), .sint64, [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x01]),
    (.unsigned(UInt64.max), .uint64, [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x01]),
    (.integer(1), .fixed32, [0x0D, 1, 0, 0, 0]),
    (.integer(-2), .sfixed32, [0x0D, 0xFE, 0xFF, 0xFF, 0xFF]),
    (.integer(-2), .sfixed64, [0x09, 0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
    (.double(1), .double, [0x09, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F]),
    (.float(1), .float, [0x0D, 0, 0, 0x80, 0x3F]),
    (.bool(true), .bool, [0x08, 1]),
    (.string("é"), .string, [0x0A, 2, 0xC3, 0xA9]),
    (.bytes([0, 255]), .bytes, [0x0A, 2, 0, 255]),
    (.enumeration(number: -1, name: nil), .enumeration("E"), [0x08] + [UInt8](repeating: 0xFF, count: 9) + [0x01]),
    (.timestamp(Timestamp(seconds: 1, nanoseconds: 2)), .timestamp, [0x0A, 4, 0x08, 1, 0x10, 2]),
    (.timestamp(Timestamp()), .timestamp, [0x0A, 0]),
  ])
  func encodesValuesInWireFormat(value: PlainValue, kind: FieldKind, expected: [UInt8]) {
    var bytes: [UInt8] = []
    bytes.append(number: 1, kind, value)
    #expect(bytes == expected)
  }

  @Test func mapsAreInTheOrderOfKeys() {
    let status = ErrorStatus(code: "", message: "m", metadata: ["b": "2", "a": ""])
    let expected: [UInt8] =
      [0x12, 1, 0x6D] + [0x1A, 5, 0x0A, 1, 0x61, 0x12, 0] + [0x1A, 6, 0x0A, 1, 0x62, 0x12, 1, 0x32]
    #expect(ProtoBinaryWriter.bytes(of: status) == expected)
  }

  /// As `protoc --encode` writes them.
  @Test(arguments: [
    (PlainValue.duration(.milliseconds(-1500)), "Duration", hex("08ffffffffffffffffff01 1080b6ca91feffffffff01")),
    (.duration(.zero), "Duration", []),
    (.fieldMask(["a", "b_c"]), "FieldMask", hex("0a0161 0a03625f63")),
    (.string("x"), "StringValue", hex("0a0178")), (.string(""), "StringValue", []),
    (.bool(false), "BoolValue", []), (.integer(-1), "Int32Value", hex("08ffffffffffffffffff01")),
    (.unsigned(3), "UInt64Value", [8, 3]), (.double(1), "DoubleValue", hex("09000000000000f03f")),
    (.json(.null), "Value", [8, 0]), (.json(.bool(false)), "Value", [32, 0]),
    (.json(.number("1")), "Value", hex("11000000000000f03f")),
    (.json(.array([.string("x")])), "ListValue", hex("0a031a0178")),
    (.json(JSONValue(["k": .null])), "Struct", hex("0a070a016b12020800")),
    (.json(JSONValue(["k": .null])), "Value", hex("2a090a070a016b12020800")),
    (
      .json(JSONValue(["@type": .string("x/nova.common.v1.ErrorStatus"), "code": .string("c")])), "Any",
      hex("0a1c 782f6e6f76612e636f6d6d6f6e2e76312e4572726f72537461747573 1203 0a0163")
    ),
  ])
  func encodesWellKnownTypes(value: PlainValue, type: String, expected: [UInt8]) {
    var bytes: [UInt8] = []
    bytes.append(value, as: .message("google.protobuf.\(type)"))
    #expect(bytes == [UInt8(expected.count)] + expected)
  }

  private static func hex(_ text: String) -> [UInt8] {
    let digits = Array(text.filter { $0 != " " })
    return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
  }
}
