import NovaCoding
import Testing

@Suite struct MapTests {
  @Test(arguments: [
    #"{"by_string":{"":"","a":"b","a b":"\n","é":"€"}}"#,
    #"{"by_int32":{"-2147483648":true,"0":false,"2147483647":true}}"#,
    #"{"by_int64":{"-9223372036854775808":-1.5,"9223372036854775807":"NaN"}}"#,
    #"{"by_uint32":{"0":-1,"4294967295":9223372036854775807}}"#,
    #"{"by_uint64":{"0":"","18446744073709551615":"/+8="}}"#,
    #"{"nodes":{"a":{"id":"1","children":[{"id":"2"}]},"b":{}}}"#,
  ])
  func mapsAreReadAndWrittenInOrder(_ json: String) throws {
    let message = try #require(accepted(Maps.self, json))
    #expect(try message.json(.request) == json)
  }

  @Test(arguments: [
    ("by_int32", "true"), ("by_int64", "1"), ("by_uint32", "1"), ("by_uint64", "\"\""),
  ])
  func keysAreIntegersOfTheirType(_ field: String, _ value: String) {
    let bounds = ["by_int32": "2147483648", "by_int64": "9223372036854775808", "by_uint32": "4294967296"]
    let above = bounds[field] ?? "18446744073709551616"
    for key in [
      "", " 1", "1 ", "+1", "-0", "01", "1.0", "1e0", "0x1", "a", "NaN", "１", "-", above, "-\(above)0", "1\\u0000",
    ] {
      #expect(accepted(Maps.self, "{\"\(field)\":{\"\(key)\":\(value)}}") == nil, "\(key)")
    }
    if field.hasPrefix("by_u") { #expect(accepted(Maps.self, "{\"\(field)\":{\"-1\":\(value)}}") == nil) }
    #expect(accepted(Maps.self, "{\"\(field)\":{\"1\":\(value),\"\\u0032\":\(value)}}") != nil)
  }

  @Test func keysOfAnotherRangeAreNotWritten() throws {
    let error = #expect(throws: ProtoJSONError.self) { try Maps(byInt32: [1 << 40: true]).jsonUTF8() }
    let description = "\(try #require(error))"
    #expect(description.contains("1099511627776") && description.contains("32-bit integer"), "\(description)")
  }

  @Test(arguments: [
    #"{"by_string":{"a":"","a":""}}"#, #"{"by_string":{"a":"","\u0061":""}}"#, #"{"by_int32":{"1":true,"1":true}}"#,
    #"{"by_string":{"a":"","b":"","a":null}}"#,
  ])
  func aKeyGivenTwiceIsRefused(_ json: String) { #expect(accepted(Maps.self, json) == nil) }

  /// A Swift dictionary can hold only one of the two spellings of `é`. Dropping an entry silently would be worse.
  @Test func keysThatSwiftHoldsEqualAreRefused() {
    #expect(accepted(Maps.self, "{\"by_string\":{\"\u{E9}\":\"1\",\"e\u{301}\":\"2\"}}") == nil)
  }

  @Test(arguments: ["1", "\"a\"", "[]", "true", "[[\"a\",\"b\"]]"])
  func aMapIsAnObject(_ json: String) { #expect(accepted(Maps.self, "{\"by_string\":\(json)}") == nil) }

  @Test func emptyMapsAreDefaults() throws {
    #expect(accepted(Maps.self, #"{"by_string":{},"nodes":{ },"by_int32":null}"#) == Maps())
    #expect(try Maps().json(.request) == "{}")
    #expect(
      try Maps().json() == #"{"by_string":{},"by_int32":{},"by_int64":{},"by_uint32":{},"by_uint64":{},"nodes":{}}"#)
  }

  @Test func outputDependsOnTheEntriesOnly() throws {
    let keys = (0..<200).map { "key-\($0 * 7919 % 200)" }
    let one = Maps(byString: Dictionary(uniqueKeysWithValues: keys.map { ($0, $0) }))
    var other = Maps()
    for key in keys.sorted() { other.byString[key] = key }
    for key in 0..<300 { other.byString["x\(key)"] = "" }
    for key in 0..<300 { other.byString["x\(key)"] = nil }
    #expect(try one.jsonUTF8() == other.jsonUTF8())
  }
}
