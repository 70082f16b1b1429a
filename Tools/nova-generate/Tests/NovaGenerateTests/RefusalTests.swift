import Testing

/// What cannot be generated stops the generator, and the message says file, place and reason.
@Suite struct RefusalTests {
  @Test(arguments: [
    ("message M { oneof kind { string a = 1; string b = 2; } }", "M.kind: is a oneof, which is not supported"),
    ("message M { message N {} }", "nova.demo_service.v1.M.N: is nested; declare messages at top level"),
    ("message M { enum E { A = 0; } }", "nova.demo_service.v1.M.E: is nested; declare enums at top level"),
    ("message M { map<bool, string> m = 1; }", "M.m: has bool keys; string and integer keys are supported"),
    ("message M { M m = 1; }", "M.m: makes M contain itself; only repeated fields may do that"),
    ("message M { optional M m = 1; }", "M.m: makes M contain itself"),
    ("message M { N n = 1; } message N { O o = 1; } message O { M m = 1; }", "O.m: makes M contain itself"),
    ("message M {\n" + (1...65).map { "string f\($0) = \($0);\n" }.joined() + "}", "M: has 65 fields; at most 64"),
    ("message M {} service A {} service B {}", "B: is a second service; one per package is supported"),
    ("message M {} service S { rpc Get(stream M) returns (M); }", "S.Get: streams, which is not supported"),
    ("message M {} service S { rpc Get(M) returns (stream M); }", "S.Get: streams, which is not supported"),
    ("message M { string Name = 1; }", "M.Name: is not lower_snake_case"),
    ("message M { string Type = 1; }", "M.Type: is not lower_snake_case"),
    ("message M { string _a = 1; }", "M._a: is not lower_snake_case"),
    ("message M { string a__b = 1; }", "M.a__b: is not lower_snake_case"),
    ("message M { string a_ = 1; }", "M.a_: is not lower_snake_case"),
    ("message M { string self = 1; }", "M.self: would be self in Swift, which every message has already"),
    ("message M { string hash_value = 1; }", "M.hash_value: would be hashValue in Swift"),
    ("message M { string a = 1 [json_name = \"a\\\"b\"]; }", "M.a: has the JSON name \"a\"b\"; ASCII without"),
    ("message M { string a = 1 [json_name = \"a\\\\b\"]; }", "M.a: has the JSON name"),
    ("message M { string a = 1 [json_name = \"é\"]; }", "M.a: has the JSON name"),
    ("message String {}", "String: has the same name in Swift as Swift's or NovaCore's String"),
    ("message Source {}", "Source: has the same name in Swift"),
    ("enum Timestamp { A = 0; }", "Timestamp: has the same name in Swift"),
    ("message DemoMessages {}", "DemoMessages: has the same name in Swift as the generated DemoMessages"),
    ("message DemoService {}", "DemoService: has the same name in Swift as the generated DemoService"),
    ("message Url {} message URL {}", "URL: has the same name in Swift as nova.demo_service.v1.Url"),
    ("enum E { E_2D = 0; E_E2D = 1; }", "E.E_E2D: would be e2d in Swift, as E_2D"),
    ("enum E { E_NAMES = 0; }", "E.E_NAMES: would be names in Swift"),
    ("enum E { E_SELF = 0; }", "E.E_SELF: would be `self` in Swift"),
  ])
  func inAFile(_ body: String, _ text: String) throws {
    let said = try refusal(demo(body))
    #expect(said.hasPrefix("demo.proto: ") && said.contains(text), "\(said)")
  }

  @Test(arguments: [
    ("google/protobuf/any.proto", "google.protobuf.Any a = 1;", "Any"),
    ("google/protobuf/struct.proto", "google.protobuf.Struct a = 1;", "Struct"),
    ("google/protobuf/struct.proto", "google.protobuf.Value a = 1;", "Value"),
    ("google/protobuf/struct.proto", "repeated google.protobuf.ListValue a = 1;", "ListValue"),
    ("google/protobuf/struct.proto", "google.protobuf.NullValue a = 1;", "NullValue"),
    ("google/protobuf/struct.proto", "map<string, google.protobuf.Value> a = 1;", "Value"),
    ("google/protobuf/wrappers.proto", "google.protobuf.StringValue a = 1;", "StringValue"),
    ("google/protobuf/wrappers.proto", "google.protobuf.Int64Value a = 1;", "Int64Value"),
    ("google/protobuf/duration.proto", "google.protobuf.Duration a = 1;", "Duration"),
    ("google/protobuf/field_mask.proto", "google.protobuf.FieldMask a = 1;", "FieldMask"),
    ("google/protobuf/empty.proto", "google.protobuf.Empty a = 1;", "Empty"),
  ])
  func wellKnownTypes(_ file: String, _ field: String, _ type: String) throws {
    #expect(
      try refusal(demo("message M { \(field) }", imports: [file]))
        == "demo.proto: M.a: is a google.protobuf.\(type); of the well-known types only Timestamp is supported")
  }

  @Test func messagesOfOtherPackagesInRPCs() throws {
    let body = "message M {} service S { rpc Get(M) returns (google.protobuf.Empty); }"
    let text = "takes or returns google.protobuf.Empty; messages of its own package are supported"
    let gateway = "http: {rules: [{selector: nova.demo_service.v1.S.Get, get: /a}]}"
    let said = try refusal(demo(body, imports: ["google/protobuf/empty.proto"]), gateway: gateway)
    #expect(said.contains(text), "\(said)")
  }

  @Test(arguments: [
    ("syntax = \"proto2\"; package a.v1; message M {}", "a.v1: is not proto3"),
    ("syntax = \"proto2\"; package a.v1; message M { optional group G = 1 {} }", "a.v1: is not proto3"),
    ("syntax = \"proto3\"; message M {}", "the file: has no package"),
    (
      "syntax = \"proto3\"; package a.v1; import \"google/protobuf/descriptor.proto\";"
        + "extend google.protobuf.FieldOptions { string x = 50000; }", "a.v1: extends messages, which is not supported"
    ),
    (
      "syntax = \"proto3\"; package a.v1; import \"google/protobuf/descriptor.proto\";"
        + "message M { extend google.protobuf.FieldOptions { string x = 50000; } }", "a.v1: extends messages"
    ),
  ])
  func wholeFiles(_ text: String, _ reason: String) throws {
    let said = try refusal(["demo.proto": text])
    #expect(said.hasPrefix("demo.proto: \(reason)"), "\(said)")
  }

  @Test func packagesThatWouldOverwriteEachOther() throws {
    func file(_ package: String, _ message: String) -> String {
      "syntax = \"proto3\"; package \(package); message \(message) {}"
    }
    #expect(
      try refusal(["a.proto": file("nova.a.v1", "M"), "b.proto": file("nova.a.v1", "N")])
        == "b.proto: nova.a.v1: is a second file of this package")
    #expect(
      try refusal(["a.proto": file("nova.a.v1", "M"), "b.proto": file("nova.a.v2", "N")])
        == "b.proto: nova.a.v2: has the same Swift files as nova.a.v1")
    #expect(
      try refusal(["a.proto": file("nova.a.v1", "M"), "b.proto": file("nova.b.v1", "M")])
        == "b.proto: M: has the same name in Swift as nova.a.v1.M")
  }

  @Test(arguments: [
    ("All", "all"), ("Self", "self"), ("Client", "client"), ("Options", "options"), ("get", "get"),
    ("Respond", "respond"), ("Calls", "calls"), ("Verify", "verify"),
  ])
  func rpcsWithNamesThatAreTaken(_ name: String, _ swiftName: String) throws {
    let service = "nova.demo_service.v1.S"
    let body = "message M {} service S { rpc Get(M) returns (M); rpc \(name)(M) returns (M); }"
    let yaml = "http: {rules: [{selector: \(service).Get, get: /a}, {selector: \(service).\(name), get: /b}]}"
    let said = try refusal(demo(body), gateway: yaml)
    #expect(said.hasPrefix("demo.proto: \(service).\(name): would be \(swiftName) in Swift"), "\(said)")
  }
}
