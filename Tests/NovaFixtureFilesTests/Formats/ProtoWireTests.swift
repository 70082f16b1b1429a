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
}
