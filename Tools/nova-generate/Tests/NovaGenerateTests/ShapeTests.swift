import Foundation
import NovaGenerate
import Testing

/// Nested types, oneofs, recursion, well-known types, and packages of several files and services.
@Suite struct ShapeTests {
  private func messages(_ body: String, imports: [String] = []) throws -> String {
    try #require(try generate(demo(body, imports: imports))["Sources/NovaDemo/Generated/DemoMessages.swift"])
  }

  @Test(arguments: [
    ("message M { message N { string a = 1; } N n = 1; }", "public var n: M.N? = nil"),
    ("message M { message N { message O {} } N.O o = 1; }", "public var o: M.N.O? = nil"),
    ("message M { enum E { E_A = 0; E_B = 1; } E e = 1; }", "public var e: M.E = M.E()"),
    ("message M { enum E { E_A = 0; E_B = 1; } }", "public static let b = Self(rawValue: 1)"),
    ("message M { enum Type { A = 0; } Type type = 1; }", "public var type: M.TypeEnum = M.TypeEnum()"),
    ("message M { message Int {} Int i = 1; }", "public var i: M.IntMessage? = nil"),
    ("message N {} message M { message N {} .nova.demo_service.v1.N n = 1; }", "public var n: NovaDemo.N? = nil"),
    ("message N {} message M { oneof n { N a = 1; } }", "case a(NovaDemo.N)"),
    ("message M { M m = 1; }", "@Indirect public var m: M? = nil"),
    ("message M { N n = 1; } message N { repeated M m = 1; }", "  public var n: N? = nil"),
    ("message M { N n = 1; } message N { O o = 1; } message O { M m = 1; }", "@Indirect public var o: O? = nil"),
    ("message M { oneof k { M m = 1; string s = 2; } }", "indirect case m(M)"),
    ("message M { oneof some_kind { string a = 1; } }", "public var someKind: SomeKind? = nil"),
    ("message M { oneof kind { string a = 1; } message Kind {} }", "public var kind: KindOneof? = nil"),
    ("message M { oneof type { string a = 1; } }", "public enum TypeOneof: Sendable, Hashable {"),
    ("message M { oneof k { string init = 1; } }", "case `init`(String)"),
    ("message M { oneof k { string a = 1; } }", #"cardinality: .optional, oneof: "k"),"#),
    ("message M { string self = 1; string hash_value = 2; }", "public var selfField: String"),
    ("message M { string class = 1; }", "public var `class`: String"),
  ])
  func shapes(_ body: String, _ line: String) throws {
    let source = try messages(body)
    #expect(source.contains(line), "\(source)")
  }

  @Test(arguments: [
    ("Any", "any", "ProtoAny?", ".any"), ("Duration", "duration", "Swift.Duration?", ".duration"),
    ("FieldMask", "field_mask", "FieldMask?", ".fieldMask"), ("Value", "struct", "JSONValue?", ".value"),
    ("Struct", "struct", "[String: JSONValue]?", ".struct"), ("ListValue", "struct", "[JSONValue]?", ".listValue"),
    ("Empty", "empty", "ProtoEmpty?", ".message(ProtoEmpty.self)"),
    ("StringValue", "wrappers", "String?", ".wrapped(.string)"),
    ("Int32Value", "wrappers", "Int?", ".wrapped(.int32)"), ("UInt64Value", "wrappers", "UInt64?", ".wrapped(.uint64)"),
    ("BytesValue", "wrappers", "[UInt8]?", ".wrapped(.bytes)"), ("BoolValue", "wrappers", "Bool?", ".wrapped(.bool)"),
  ])
  func wellKnownTypes(_ type: String, _ file: String, _ swift: String, _ codec: String) throws {
    let source = try messages(
      "message M { google.protobuf.\(type) a = 1; }", imports: ["google/protobuf/\(file).proto"])
    #expect(source.contains("public var a: \(swift) = nil") && source.contains("read(&a, as: \(codec))"), "\(source)")
    #expect(source.contains(#"kind: .message("google.protobuf.\#(type)"), cardinality: .optional)"#))
  }

  @Test func aMessageCanHaveManyFields() throws {
    let fields = (1...200).map { "string f\($0) = \($0);" }.joined(separator: "\n")
    #expect(try messages("message M {\n\(fields)\n}").contains("case 199: try source.read(&f200, as: .string)"))
  }

  @Test func aPackageCanHaveSeveralFilesAndServices() throws {
    func file(_ body: String) -> String { "syntax = \"proto3\"; package acme.shop.v1; \(body)" }
    let protos = [
      "a.proto": file("message Order {} message Deep { message Order {} }"),
      "b.proto": file("import \"a.proto\"; service OrderService { rpc Get(Order) returns (Order); }"),
      "c.proto": file(
        "import \"a.proto\"; service Shop { rpc Find(Order) returns (Order); rpc Get(Order) returns (Order); }"),
    ]
    let files = try generate(protos, registry: "R", names: "N", fakes: "F")
    let folder = "Sources/NovaShop/Generated"
    #expect(
      Set(files.keys) == [
        "\(folder)/ShopMessages.swift", "\(folder)/OrderRPCs.swift", "\(folder)/OrderService.swift",
        "\(folder)/OrderServiceProtocol.swift", "\(folder)/ShopRPCs.swift", "\(folder)/ShopService.swift",
        "\(folder)/ShopServiceProtocol.swift", "Sources/F/Generated/FakeOrderService.swift",
        "Sources/F/Generated/FakeShopService.swift", "Sources/R/Generated/Registry.swift",
        "Sources/R/Generated/APIConfig.swift", "Sources/R/Generated/NovaServices.swift",
        "Sources/N/Generated/ContractServices.swift",
      ])
    #expect(
      files["\(folder)/OrderRPCs.swift"]?.contains(#"service: "order", package: "acme.shop.v1.OrderService""#) == true)
    #expect(files["Sources/R/Generated/Registry.swift"]?.contains("ShopRPC.all,\n    OrderRPC.all,") == true)
    #expect(files["Sources/N/Generated/ContractServices.swift"]?.contains("\"shop\",") == true)
    #expect(
      files["Sources/R/Generated/NovaServices.swift"]?.contains("@inlinable public var order: OrderService {") == true)
  }

  @Test func errorsNameTheFile() throws {
    func file(_ body: String) -> String { "syntax = \"proto3\"; package acme.shop.v1; \(body)" }
    let said = try refusal(["a.proto": file("message M {}"), "b.proto": file("message N { string _1 = 1; }")])
    #expect(said.hasPrefix("b.proto: N._1: has no letter"), "\(said)")
    let clash = try refusal(["a.proto": file("message Url {}"), "b.proto": file("message URL {}")])
    #expect(clash.hasPrefix("b.proto: URL: has the same name in Swift as acme.shop.v1.Url"), "\(clash)")
  }

  @Test func packagesOfOptionsAreLeftOut() throws {
    let options = """
      syntax = "proto2"; package acme.options; import "google/protobuf/descriptor.proto";
      extend google.protobuf.FieldOptions { optional Rules rules = 50000; }
      message Rules { optional string pattern = 1; }
      """
    let demo = """
      syntax = "proto3"; package acme.demo.v1; import "options.proto";
      message M { string a = 1 [(acme.options.rules).pattern = "x"]; }
      """
    let files = try generate(["options.proto": options, "demo.proto": demo])
    #expect(Array(files.keys) == ["Sources/NovaDemo/Generated/DemoMessages.swift"])
    let used = demo.replacing("string a = 1 [(acme.options.rules).pattern = \"x\"]", with: "acme.options.Rules a = 1")
    let said = try refusal(["options.proto": options, "demo.proto": used])
    #expect(said.hasPrefix("options.proto: acme.options: is not proto3, which is required; if"), "\(said)")
  }

  @Test func messagesOfOtherPackagesAreRequestsToo() throws {
    let other = "syntax = \"proto3\"; package acme.types; message Ref { string id = 1; }"
    let files = try generate(
      demo("service DemoService { rpc Get(acme.types.Ref) returns (acme.types.Ref); }", imports: ["types.proto"])
        .merging(["types.proto": other]) { $1 }, fakes: "F")
    for name in ["NovaDemo/Generated/DemoRPCs", "NovaDemo/Generated/DemoService", "F/Generated/FakeDemoService"] {
      #expect(files["Sources/\(name).swift"]?.contains("public import NovaTypes\n") == true, "\(name)")
    }
  }

  @Test func oneModuleForAll() throws {
    let folder = try TemporaryFolder()
    for (path, text) in demo("message M {} service S { rpc Get(M) returns (M); }") { try folder.write(text, to: path) }
    let files = try Generator.files(
      descriptorSet: try Protoc().descriptorSet(ofFilesBelow: folder.url.path), gateway: GatewayConfig(),
      registryModule: nil, fakesModule: "AcmeTesting", routesModule: "AcmeTesting", module: "Acme")
    #expect(
      files.keys.sorted() == [
        "Sources/Acme/Generated/DemoMessages.swift", "Sources/Acme/Generated/DemoRPCs.swift",
        "Sources/Acme/Generated/DemoService.swift", "Sources/Acme/Generated/DemoServiceProtocol.swift",
        "Sources/AcmeTesting/Generated/DemoServiceRoutes.swift", "Sources/AcmeTesting/Generated/FakeDemoService.swift",
      ])
    for (path, content) in files {
      #expect(
        content.hasPrefix("// Generated by nova-generate for Acme. Do not edit: change the .proto files"), "\(path)")
    }
  }

  @Test func protocsMessagesAreErrors() throws {
    let folder = try TemporaryFolder()
    let empty = #expect(throws: GenerationError.self) { try Protoc().descriptorSet(ofFilesBelow: folder.url.path) }
    #expect(empty?.description == "protoc: \(folder.url.path): has no .proto files")
    try folder.write("syntax = \"proto3\"; message M { X x = 1; }", to: "a.proto")
    let error = #expect(throws: GenerationError.self) { try Protoc().descriptorSet(ofFilesBelow: folder.url.path) }
    #expect(error?.reason.contains("\"X\" is not defined.") == true)
    #expect(throws: GenerationError.self) {
      try Protoc(program: "no-such-protoc").descriptorSet(ofFilesBelow: folder.url.path)
    }
  }

  @Test(arguments: [
    ("google/protobuf/nothing.proto", "install google/protobuf/*.proto: apt-get install libprotobuf-dev"),
    ("acme/nothing.proto", "name the folder of acme/nothing.proto with --import-path"),
  ])
  func missingImportsHaveAdvice(_ file: String, _ advice: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("syntax = \"proto3\"; import \"\(file)\";", to: "a.proto")
    let error = #expect(throws: GenerationError.self) { try Protoc().descriptorSet(ofFilesBelow: folder.url.path) }
    #expect(error?.reason.hasSuffix("\n\(advice)") == true, "\(error?.reason ?? "")")
  }
}
