import Foundation
import NovaGenerate
import Testing

/// Names that mean something else in Swift or in generated code. What cannot be made to work is in ``RefusalTests``.
@Suite struct NameTests {
  private func generate(
    _ protos: [String: String], module: String = "Acme", gateway: GatewayConfig = GatewayConfig()
  ) throws -> [String: String] {
    let folder = try TemporaryFolder()
    for (path, text) in protos { try folder.write(text, to: path) }
    return try Generator.files(
      descriptorSet: try Protoc().descriptorSet(ofFilesBelow: folder.url.path), gateway: gateway,
      registryModule: nil, fakesModule: "AcmeTesting", routesModule: "AcmeTesting", module: module)
  }

  private func messages(_ body: String) throws -> String {
    try #require(try generate(demo(body))["Sources/Acme/Generated/DemoMessages.swift"])
  }

  /// A type that generated code needs has a suffix where the contract declares one of the same name.
  @Test(arguments: [
    "APIError", "ServerStream", "Swift", "AcknowledgedResponse", "SecretHolding", "Hashable", "Sendable",
    "ServiceRoute",
    "String", "Source", "Timestamp", "NovaService", "FakeService", "Type", "Self", "Any", "Protocol", "class",
    "fallthrough", "DemoMessages", "DemoService", "FakeDemoService", "DemoRPC",
  ])
  func typesWithASuffix(_ name: String) throws {
    let message = try messages("message \(name) {} message M { .nova.demo_service.v1.\(name) a = 1; }")
    #expect(message.contains("public struct \(name)Message: ProtoMessage {"), "\(message)")
    #expect(message.contains("public var a: \(name)Message? = nil"))
    #expect(message.contains("MessageDescriptor(\"nova.demo_service.v1.\(name)\""))
    let enumeration = try messages("enum \(name) { A = 0; }")
    #expect(enumeration.contains("public struct \(name)Enum: ProtoEnum {"), "\(enumeration)")
    guard !name.contains("Demo") else { return }
    let nested = try messages("message M { message \(name) {} \(name) a = 1; }")
    #expect(nested.contains("public var a: M.\(name)Message? = nil"), "\(nested)")
  }

  /// Types of NovaCore and NovaTesting that generated code does not need keep their names. The fake imports them.
  @Test(arguments: ["Page", "AccessToken", "Stub", "Fault", "Middleware", "HTTPRequest", "Acme", "Result"])
  func typesThatNovaCoreHasToo(_ name: String) throws {
    let body = "message \(name) { message Item {} } service S { rpc Get(\(name)) returns (\(name).Item); }"
    let fake = try #require(try generate(demo(body))["Sources/AcmeTesting/Generated/FakeDemoService.swift"])
    #expect(fake.contains("public import struct Acme.\(name)\n"), "\(fake)")
    #expect(fake.contains("FakeRPC<\(name), \(name).Item>"), "\(fake)")
  }

  /// A package of another module, which `gateway.yaml` can name.
  @Test func typesOfOtherModules() throws {
    let other = "syntax = \"proto3\"; package acme.types; message Page {} enum Fault { A = 0; }"
    let body = """
      message M { acme.types.Fault fault = 1; map<string, acme.types.Page> pages = 2; }
      service S { rpc Get(M) returns (acme.types.Page); }
      """
    let files = try generate(
      demo(body, imports: ["types.proto"]).merging(["types.proto": other]) { $1 },
      gateway: try GatewayConfig(yaml: "nova: {swift_modules: [{package: acme.types, module: AcmeTypes}]}"))
    let expected = [
      ("Acme/Generated/DemoMessages", ["Fault", "Page"]), ("Acme/Generated/DemoRPCs", ["Page"]),
      ("Acme/Generated/DemoServiceProtocol", ["Page"]), ("Acme/Generated/DemoService", ["Page"]),
      ("AcmeTesting/Generated/FakeDemoService", ["Page"]),
    ]
    for (path, names) in expected {
      let source = try #require(files["Sources/\(path).swift"])
      let imports = source.matches(of: /import struct AcmeTypes\.(\w+)/).map { String($0.output.1) }
      #expect(imports == names, "\(source)")
    }
  }

  @Test(arguments: [("nova", "NovaAPI"), ("fake", "FakeAPI"), ("shop", "Shop")])
  func servicesLikeThoseOfNovaCore(_ name: String, _ swiftName: String) throws {
    let body = "message M {} service \(SwiftService.name(name)) { rpc Get(M) returns (M); }"
    let files = try generate(["a.proto": "syntax = \"proto3\"; package x.\(name).v1; \(body)"])
    let service = try #require(files["Sources/Acme/Generated/\(swiftName)Service.swift"], "\(files.keys.sorted())")
    #expect(service.contains("public struct \(swiftName)Service: NovaService, \(swiftName)ServiceProtocol {"))
  }

  private enum SwiftService {
    static func name(_ package: String) -> String { package.prefix(1).uppercased() + package.dropFirst() + "Service" }
  }

  /// `Identifiable` gives a message with an `id` a type of that name.
  @Test(arguments: [
    ("message M { string id = 1; message ID {} ID a = 2; }", "public var a: M.IDMessage? = nil"),
    ("message M { string id = 1; enum ID { A = 0; } ID a = 2; }", "public var a: M.IDEnum = M.IDEnum()"),
    ("message M { string id = 1; oneof ID { string a = 2; } }", "public var iD: IDOneof? = nil"),
    ("message M { message ID {} ID a = 2; }", "public var a: M.ID? = nil"),
    ("message M { repeated string id = 1; message ID {} ID a = 2; }", "public var a: M.ID? = nil"),
    ("message M { optional string id = 1; message ID {} ID a = 2; }", "public var a: M.ID? = nil"),
    ("message ID {} message M { string id = 1; ID a = 2; }", "public var a: Acme.ID? = nil"),
    ("message ID {} message M { string id = 1; message N { ID a = 2; } }", "public var a: Acme.ID? = nil"),
    ("message ID {} message M { ID a = 2; }", "public var a: ID? = nil"),
  ])
  func types(_ body: String, calledID line: String) throws {
    let source = try messages(body)
    #expect(source.contains(line), "\(source)")
  }

  @Test(arguments: [
    ("enum Resolution { _720P = 0; }", "let resolution720p = "), ("enum E { _2D = 0; }", "let e2d = "),
    ("enum HTTPVersion { _1_1 = 0; }", "let hTTPVersion11 = "), ("enum E { _IN = 0; }", "let `in` = "),
    ("enum E { E_FALLTHROUGH = 0; }", "let `fallthrough` = "), ("enum Level { LEVEL_1 = 0; }", "let level1 = "),
    ("enum E { E_NONE = 0; }", "let noneValue = "), ("enum E { SOME = 0; }", "let someValue = "),
    ("enum E { E_NONE_AT_ALL = 0; }", "let noneAtAll = "),
    ("enum HTTPCode { HTTP_CODE_OK = 0; }", "let ok = "), ("enum IPv6Mode { IPV6_MODE_ON = 0; }", "let on = "),
    ("enum IPv6Mode { IP_V6_MODE_ON = 0; }", "let on = "), ("enum OAuth2Flow { OAUTH2_FLOW_CODE = 0; }", "let code = "),
    ("enum HTTPCode { H_T_T_P_CODE_OK = 0; }", "let ok = "), ("enum SizeXL { SIZE_X_L_WIDE = 0; }", "let wide = "),
    ("enum Color { COLOR_DARK_RED = 0; }", "let darkRed = "), ("enum Color { COLORFUL = 0; }", "let colorful = "),
    ("enum Color { COLOR = 0; }", "let color = "), ("enum Color { COLOR_ = 0; }", "let color = "),
    ("enum HTTPCode { HTTPS_CODE_OK = 0; }", "let httpsCodeOk = "),
    ("message M { oneof kind { string none = 1; } }", "case noneValue(String)"),
    ("message M { oneof kind { string some = 1; } }", "public var some: String? {"),
    ("message M { oneof Type { string a = 1; } }", "public var type: TypeOneof? = nil"),
    ("message M { oneof Self { string a = 1; } }", "public var selfField: SelfOneof? = nil"),
    ("message M { oneof _1 { string a = 1; } }", "public var oneof1: Oneof1? = nil"),
    ("message M { oneof Kind { string a = 1; } }", "public var kind: Kind? = nil"),
    ("message M { oneof hashValue { string a = 1; } }", "public var hashValueField: HashValue? = nil"),
    ("message M { oneof class { string a = 1; } }", "public var `class`: Class? = nil"),
    ("message M { string fallthrough = 1; }", "public var `fallthrough`: String"),
  ])
  func values(_ body: String, _ line: String) throws {
    let source = try messages(body)
    #expect(source.contains(line), "\(source)")
  }

  /// An alias can have the Swift name of its value. It is read by both names.
  @Test(arguments: ["COLOR_RED = 1; RED = 1", "RED = 1; COLOR_RED = 1", "COLOR_RED = 1; color_red = 1; Red = 1"])
  func aliases(_ values: String) throws {
    let source = try messages("enum Color { option allow_alias = true; COLOR_UNSPECIFIED = 0; \(values); }")
    #expect(source.components(separatedBy: "public static let red = ").count == 2, "\(source)")
    #expect(source.components(separatedBy: ", number: 1),").count == values.components(separatedBy: ";").count + 1)
  }

  /// In a module with a type of its name, the module's name reaches nothing else.
  @Test func aModuleThatIsHiddenByItsType() throws {
    let body = "message Acme {} message N {} message M { message N {} .nova.demo_service.v1.N n = 1; }"
    let error = #expect(throws: GenerationError.self) { try generate(demo(body)) }
    #expect(
      error?.description
        == "demo.proto: M.n: needs the name Acme.N, but Acme is also the name of a type; name the module differently")
    #expect(try generate(demo(body), module: "Other").count == 1)
    #expect(try generate(demo("message Acme { message N {} N n = 1; }")).count == 1)
  }
}
