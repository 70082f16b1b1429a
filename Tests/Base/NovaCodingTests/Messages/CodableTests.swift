import Foundation
import NovaCoding
import Testing

@Suite struct CodableTests {
  private func decode<M: ProtoMessage>(_ type: M.Type, _ json: String) throws -> M {
    try JSONDecoder().decode(M.self, from: Data(json.utf8))
  }

  /// Foundation's decoder accepts everything that our reader accepts, with the same result.
  @Test(arguments: [
    #"{"int32_value":"12","int64_value":"-9223372036854775808","uint64_value":"18446744073709551615"}"#,
    #"{"int32_value":1e3,"int64_value":12.0,"uint32_value":1.5e1,"uint64_value":18446744073709551615}"#,
    #"{"int32Value":"1e3","int64Value":"12.0","fixed32Value":"1.50e1","sfixed64Value":-0}"#,
    #"{"double_value":"1.5","float_value":"-Infinity"}"#, #"{"double_value":"Infinity","float_value":"1e-46"}"#,
    #"{"double_value":-0.0,"float_value":0.1}"#, #"{"double_value":5e-324,"float_value":16777217}"#,
    #"{"bytes_value":"-_8","bool_value":true,"string_value":"\u0000"}"#,
    #"{"color":"COLOR_RED"}"#, #"{"color":2}"#, #"{"color":99}"#, #"{"color":"NEW"}"#, #"{"color":1.0}"#,
    #"{"occurred":"2025-12-01 10:30:00.5+02","created_at":"2025-12-01T10:30:00Z"}"#,
    #"{"created_at":"1764585000"}"#, #"{"createdAt":1764585000}"#,
    #"{"occurred":null,"color":null,"bytes_value":null}"#,
    #"{"unknown":[{"a":null}]}"#,
  ])
  func readsTheSame(_ json: String) throws {
    #expect(try decode(Scalars.self, json) == Scalars(jsonUTF8: Array(json.utf8)))
  }

  /// Foundation's decoder refuses every value that our reader refuses.
  @Test(arguments: [
    #"{"int32_value":2147483648}"#, #"{"int32_value":"2147483648"}"#, #"{"uint32_value":-1}"#, #"{"int64_value":1.5}"#,
    #"{"int64_value":"1.5"}"#, #"{"int64_value":" 1"}"#, #"{"int64_value":""}"#,
    #"{"uint64_value":18446744073709551616}"#,
    #"{"int64_value":true}"#, #"{"double_value":"nan"}"#, #"{"double_value":"0x1"}"#, #"{"double_value":1e400}"#,
    #"{"float_value":1e39}"#, #"{"float_value":"1e39"}"#, #"{"bool_value":1}"#, #"{"bool_value":"true"}"#,
    #"{"string_value":1}"#, #"{"bytes_value":"*"}"#, #"{"bytes_value":[1]}"#, #"{"color":1.5}"#,
    #"{"color":4294967296}"#,
    #"{"color":[]}"#, #"{"occurred":1}"#, #"{"occurred":"today"}"#, #"{"created_at":"today"}"#, #"{"created_at":1.5}"#,
  ])
  func refusesTheSame(_ json: String) {
    #expect(accepted(Scalars.self, json) == nil)
    #expect(throws: DecodingError.self) { try decode(Scalars.self, json) }
  }

  @Test(arguments: [
    #"{"string_values":[null]}"#, #"{"nodes":[null]}"#, #"{"int32_values":{}}"#, #"{"bytes_values":"QQ=="}"#,
  ])
  func refusesTheSameInLists(_ json: String) {
    #expect(accepted(Repeated.self, json) == nil)
    #expect(throws: DecodingError.self) { try decode(Repeated.self, json) }
  }

  @Test(arguments: [
    #"{"by_string":{"a":null}}"#, #"{"by_int32":{"01":true}}"#, #"{"by_uint64":{"-1":""}}"#, #"{"by_string":[]}"#,
  ])
  func refusesTheSameInMaps(_ json: String) {
    #expect(accepted(Maps.self, json) == nil)
    #expect(throws: DecodingError.self) { try decode(Maps.self, json) }
  }

  @Test func readsEveryNameOfAField() throws {
    for name in ["display_name", "displayName", "label"] {
      #expect(try decode(Node.self, "{\"\(name)\":\"x\"}") == Node(displayName: "x"))
    }
  }

  @Test(arguments: [
    #"{"display_name":"a","displayName":"b"}"#, #"{"label":"a","displayName":"a"}"#,
    #"{"label":null,"display_name":"a"}"#,
  ])
  func refusesAFieldUnderTwoNames(_ json: String) {
    let error = #expect(throws: DecodingError.self) { try decode(Node.self, json) }
    #expect("\(String(describing: error))".contains("only once"))
  }

  @Test(arguments: [
    Scalars(int32Value: 2_147_483_648), Scalars(int32Value: -2_147_483_649), Scalars(uint32Value: -1),
    Scalars(uint32Value: 4_294_967_296), Scalars(sfixed32Value: .max), Scalars(occurred: Timestamp(nanoseconds: -1)),
  ])
  func refusesToWriteTheSame(_ message: Scalars) {
    #expect(throws: ProtoJSONError.self) { try message.jsonUTF8() }
    #expect(throws: EncodingError.self) { try JSONEncoder().encode(message) }
  }

  @Test func theFormIsProto3JSON() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let optionals = Optionals(
      doubleValue: .nan, int32Value: 0, int64Value: .min, boolValue: false, stringValue: "é", bytesValue: [0xFF],
      color: Color(name: "NEW"), deletedAt: 5)
    #expect(
      String(decoding: try encoder.encode(optionals), as: UTF8.self)
        == #"{"bool_value":false,"bytes_value":"/w==","color":"NEW","deleted_at":5,"double_value":"NaN","#
        + #""int32_value":0,"int64_value":-9223372036854775808,"string_value":"é"}"#)
    #expect(String(decoding: try encoder.encode(Optionals()), as: UTF8.self) == "{}")
    #expect(String(decoding: try encoder.encode(Maps(byInt32: [-1: true])), as: UTF8.self).contains(#"{"-1":true}"#))
  }
}
