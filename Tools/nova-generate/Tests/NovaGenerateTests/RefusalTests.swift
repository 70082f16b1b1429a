import Testing

/// What cannot be generated stops the generator, and the message says file, place and reason.
@Suite struct RefusalTests {
  @Test(arguments: [
    (
      "message M {} service S { rpc Get(stream M) returns (M); }", "S.Get: streams its requests, which is not supported"
    ),
    ("message M { string self = 1; string self_field = 2; }", "M.self_field: would be selfField in Swift, as self"),
    ("message M { string a1 = 1; oneof a_1 { string b = 2; } }", "M.a_1: would be a1 in Swift, as a1"),
    ("message M { string _1 = 1; }", "M._1: has no letter with which its Swift name could start"),
    ("message M { message N { string _ = 1; } }", "M.N._: has no letter with which its Swift name could start"),
    ("message M { string a_b = 1; oneof aB { string c = 2; } }", "M.aB: would be aB in Swift, as a_b"),
    ("message M { message N {} message n {} }", "M.n: has the same name in Swift as nova.demo_service.v1.M.N"),
    ("message M { enum Type { A = 0; } enum TypeEnum { B = 0; } }", "M.TypeEnum: has the same name in Swift"),
    ("message M { string a = 1 [json_name = \"a\\\"b\"]; }", "M.a: has the JSON name \"a\"b\"; ASCII without"),
    ("message M { string a = 1 [json_name = \"a\\\\b\"]; }", "M.a: has the JSON name"),
    ("message M { string a = 1 [json_name = \"é\"]; }", "M.a: has the JSON name"),
    ("message M { message class {} message classMessage {} }", "M.classMessage: has the same name in Swift as"),
    ("message String {} message StringMessage {}", "StringMessage: has the same name in Swift as"),
    ("message demomessages {}", "demomessages: has the same name in Swift as the generated DemoMessages"),
    ("message _ {}", "nova.demo_service.v1._: has no letter or digit, from which its Swift name is made"),
    ("message M { enum __ { A = 0; } }", "nova.demo_service.v1.M.__: has no letter or digit"),
    ("enum E { _ = 0; }", "E._: has no letter or digit, from which its Swift name is made"),
    ("message M { oneof _ { string a = 1; } }", "M._: has no letter or digit, from which its Swift name is made"),
    ("message M {} service S { rpc _(M) returns (M); }", "S._: has no letter or digit"),
    ("message M { oneof Kind { string a = 1; } oneof kind { string b = 2; } }", "M.kind: would be M.Kind in Swift, as"),
    (
      "message M { oneof kind { string a = 1; } message Kind {} message KindOneof {} }",
      "M.kind: would be M.KindOneof in Swift, as nova.demo_service.v1.M.KindOneof"
    ),
    ("message M { string kind = 1; oneof Kind { string a = 2; } }", "M.Kind: would be kind in Swift, as kind"),
    ("enum E { _2D = 0; E_E2D = 1; }", "E.E_E2D: would be e2d in Swift, as _2D"),
    ("message Url {} message URL {}", "URL: has the same name in Swift as nova.demo_service.v1.Url"),
    ("enum E { E_2D = 0; E_E2D = 1; }", "E.E_E2D: would be e2d in Swift, as E_2D"),
    ("enum E { E_NONE = 0; E_NONE_VALUE = 1; }", "E.E_NONE_VALUE: would be noneValue in Swift, as E_NONE"),
    ("enum E { E_NAMES = 0; }", "E.E_NAMES: would be names in Swift"),
    ("enum E { E_SELF = 0; }", "E.E_SELF: would be `self` in Swift"),
  ])
  func inAFile(_ body: String, _ text: String) throws {
    let said = try refusal(demo(body))
    #expect(said.hasPrefix("demo.proto: ") && said.contains(text), "\(said)")
  }

  @Test(arguments: [
    ("google/protobuf/type.proto", "google.protobuf.Type"), ("google/protobuf/api.proto", "google.protobuf.Method"),
    ("google/protobuf/type.proto", "google.protobuf.Field.Kind"),
    ("google/protobuf/descriptor.proto", "google.protobuf.FileDescriptorSet"),
  ])
  func typesOfProtobufItself(_ file: String, _ type: String) throws {
    let text = "demo.proto: M.N.a: is a \(type), which is not supported"
    #expect(try refusal(demo("message M { message N { \(type) a = 1; } }", imports: [file])) == text)
  }

  @Test(arguments: [
    ("google/protobuf/wrappers.proto", "google.protobuf.StringValue"),
    ("google/protobuf/struct.proto", "google.protobuf.Struct"),
  ])
  func wellKnownTypesOfRPCs(_ file: String, _ type: String) throws {
    let body = "message M {} service S { rpc Get(M) returns (\(type)); }"
    let text =
      "demo.proto: nova.demo_service.v1.S.Get: takes or returns \(type); "
      + "supported are messages of your own and google.protobuf.Empty"
    #expect(try refusal(demo(body, imports: [file])) == text)
  }

  @Test(arguments: [
    ("syntax = \"proto2\"; package a.v1; message M {}", "a.v1: is not proto3"),
    ("syntax = \"proto2\"; package a.v1; message M { optional group G = 1 {} }", "a.v1: is not proto3"),
    ("syntax = \"proto2\"; message M {}", "the file: is not proto3, which is required"),
    ("syntax = \"proto3\"; message M {}", "the file: has no package"),
    ("syntax = \"proto3\"; package a._1; message M {}", "a._1: would be named \"1\" in Swift; give it a name"),
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
      try refusal(["a.proto": file("nova.a.v1", "M"), "b.proto": file("nova.a.v2", "N")])
        == "b.proto: nova.a.v2: has the same Swift files as nova.a.v1; rename one, or generate each into a module of its own"
    )
    #expect(
      try refusal(["a.proto": file("nova.a.v1", "M"), "b.proto": file("nova.b.v1", "M")])
        == "b.proto: M: has the same name in Swift as nova.a.v1.M")
  }

  /// Also with names that differ only in case, since file systems may not tell them apart.
  @Test(arguments: [
    ("Demo", "DemoService"), ("DemoService", "Demo"), ("Order", "OrderService"), ("OrderService", "Order"),
    ("URLService", "UrlService"),
  ])
  func servicesThatWouldOverwriteEachOther(_ first: String, _ second: String) throws {
    let services = [first, second, "Third"].map { "service \($0) { rpc Get(M) returns (M); }" }.joined(separator: "\n")
    let package = "nova.demo_service.v1"
    let said = try refusal(demo("message M {}\n\(services)"))
    #expect(
      said.hasPrefix("demo.proto: \(package).\(second): has the same Swift files as \(package).\(first);"), "\(said)")
  }

  @Test func servicesOfTwoPackagesAreNamed() throws {
    func file(_ version: String) -> String {
      "syntax = \"proto3\"; package shop.\(version); message M\(version) {} "
        + "service Orders { rpc Get(M\(version)) returns (M\(version)); }"
    }
    let said = try refusal(["a.proto": file("v1"), "b.proto": file("v2")])
    #expect(said.hasPrefix("b.proto: shop.v2.Orders: has the same Swift files as shop.v1.Orders;"), "\(said)")
  }

  /// Of a package with several files, the one with the service.
  @Test func callsAreNamedWithTheirFile() throws {
    func file(_ body: String) -> String { "syntax = \"proto3\"; package acme.shop.v1; \(body)" }
    let service = "import \"a.proto\"; service Shop { rpc All(M) returns (M); }"
    let said = try refusal(["a.proto": file("message M {}"), "b.proto": file(service)])
    #expect(said.hasPrefix("b.proto: acme.shop.v1.Shop.All: would be all in Swift"), "\(said)")
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
