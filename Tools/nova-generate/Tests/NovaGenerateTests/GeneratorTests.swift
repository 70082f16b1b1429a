import NovaGenerate
import Testing

@Suite struct GeneratorTests {
  private let body = """
    // One thing.
    //
    // And "more" \\ of it.
    message Thing {
      string id = 1;
      string default = 2;
      int32 index = 3;
      optional int64 seen_at = 4;
      map<string, Kind> kinds = 5;
      reserved 6;
    }
    enum Kind { KIND_UNSPECIFIED = 0; KIND_2D = 1; KIND_IN = 2; }
    service DemoService {
      // Gets "one" \\ thing.
      rpc Get(Thing) returns (Thing) { option idempotency_level = NO_SIDE_EFFECTS; }
    }
    """
  private let gateway = "http: {rules: [{selector: nova.demo_service.v1.DemoService.Get, get: '/things/{id}'}]}"

  private func line(_ text: String, in source: String?) -> Bool {
    source?.split(separator: "\n").contains { $0.trimmingPrefix(while: \.isWhitespace) == text } == true
  }

  @Test func outputIsDeterministic() throws {
    var protos = demo(body)
    for name in ["b", "a", "c"] {
      protos["\(name).proto"] =
        "syntax = \"proto3\"; package nova.\(name).v1; message \(name.uppercased())M { string x = 1; }"
    }
    let first = try generate(protos, gateway: gateway, registry: "NovaRegistry")
    for _ in 0..<5 { #expect(try generate(protos, gateway: gateway, registry: "NovaRegistry") == first) }
    #expect(
      first.keys.sorted() == [
        "Sources/NovaA/Generated/AMessages.swift", "Sources/NovaB/Generated/BMessages.swift",
        "Sources/NovaC/Generated/CMessages.swift", "Sources/NovaDemo/Generated/DemoMessages.swift",
        "Sources/NovaDemo/Generated/DemoRPCs.swift", "Sources/NovaDemo/Generated/DemoService.swift",
        "Sources/NovaDemo/Generated/DemoServiceProtocol.swift", "Sources/NovaRegistry/Generated/APIConfig.swift",
        "Sources/NovaRegistry/Generated/NovaServices.swift", "Sources/NovaRegistry/Generated/Registry.swift",
      ])
  }

  @Test func namesThatSwiftReservesAreEscaped() throws {
    let source = try generate(demo(body), gateway: gateway)["Sources/NovaDemo/Generated/DemoMessages.swift"]
    for text in [
      "public var `default`: String = \"\"", "case 1: try source.read(&`default`, as: .string)",
      "case 2: try source.read(&self.index, as: .int32)", "try sink.write(self.index, as: .int32, at: 2)",
      "public static let kind2d = Kind(rawValue: 1)", "public static let `in` = Kind(rawValue: 2)",
      "public var seenAt: Int64? = nil", "/// And \"more\" \\ of it.",
      "FieldDescriptor(\"seen_at\", number: 4, kind: .unixSeconds, cardinality: .optional),",
    ] { #expect(line(text, in: source), "\(text)\nis not in\n\(source ?? "")") }
  }

  @Test func explicitPresenceMakesAFieldOptional() throws {
    let source = try generate(
      demo(body), gateway: gateway + "\nnova: {explicit_presence: [nova.demo_service.v1.Thing.index]}")[
        "Sources/NovaDemo/Generated/DemoMessages.swift"]
    #expect(line("public var index: Int? = nil", in: source), "\(source ?? "")")
  }

  /// The Swift type changes, and nothing that is sent.
  @Test func textsCanHaveATypeOfTheirOwn() throws {
    let body = """
      message M { string kind = 1; optional string other = 2; repeated string all = 3; map<string, string> named = 4; }
      """
    let fields = ["kind", "other", "all", "named"].map { "{field: nova.demo_service.v1.M.\($0), type: Kind}" }
    let source = try generate(demo(body), gateway: "nova: {typed_texts: [\(fields.joined(separator: ", "))]}")[
      "Sources/NovaDemo/Generated/DemoMessages.swift"]
    for text in [
      "public var kind: Kind = \"\"", "public var other: Kind? = nil", "public var all: [Kind] = []",
      "public var named: [String: Kind] = [:]", "FieldDescriptor(\"kind\", number: 1, kind: .string),",
      "case 0: try source.read(&kind, as: .text(Kind.self))", "try sink.write(other, as: .text(Kind.self), at: 1)",
      "case 3: try source.read(&named, keys: .string, values: .text(Kind.self))",
    ] { #expect(line(text, in: source), "\(text)\nis not in\n\(source ?? "")") }
  }

  @Test func whatMessagesNeedIsInTheirDescriptors() throws {
    let body = """
      message M { string id = 1; string kind = 2; string link = 3; }
      message One { M m = 1; }
      message Many { repeated M all = 1; }
      message Other { One one = 1; }
      """
    let (message, gateway) = ("nova.demo_service.v1.M", "nova.demo_service.v1.M.link")
    let yaml = """
      nova:
        record_ids: [\(message).id]
        http_urls: [\(gateway)]
        required_if: [{field: \(gateway), text: kind, values: [page, '']}]
      """
    let source = try generate(demo(body), gateway: yaml)["Sources/NovaDemo/Generated/DemoMessages.swift"]
    for text in [
      "public static let descriptor = MessageDescriptor(\"\(message)\", recordID: \"id\", fields: [",
      "FieldDescriptor(\"link\", number: 3, kind: .string, rule: .httpURL),", "], requirements: [",
      "public static let descriptor = MessageDescriptor(\"nova.demo_service.v1.One\", holdsRecords: true, fields: [",
      "public static let descriptor = MessageDescriptor(\"nova.demo_service.v1.Many\", holdsRecords: true, fields: [",
      "public static let descriptor = MessageDescriptor(\"nova.demo_service.v1.Other\", fields: [",
      "FieldRequirement(\"link\", if: \"kind\", isOneOf: [\"page\", \"\"]),",
    ] { #expect(line(text, in: source), "\(text)\nis not in\n\(source ?? "")") }
  }

  @Test func everyKeywordIsEscapedOnce() throws {
    for word in ["associatedtype", "await", "deinit", "fileprivate", "precedencegroup", "where", "init"] {
      let source = try generate(demo("message M { string \(word) = 1; }"))[
        "Sources/NovaDemo/Generated/DemoMessages.swift"]
      #expect(line("public var `\(word)`: String = \"\"", in: source))
    }
  }

  @Test func textsBecomeLiterals() throws {
    let source = try generate(demo(body), gateway: gateway)["Sources/NovaDemo/Generated/DemoRPCs.swift"]
    #expect(line(#"summary: "Gets \"one\" \\ thing.")"#, in: source), "\(source ?? "")")
    #expect(line(#"http: HTTPBinding(.get, "/things/{id}", hasBody: false),"#, in: source))
  }

  @Test func pathsHaveNames() throws {
    let path = "Sources/R/Generated/APIConfig.swift"
    let standard = try generate(demo(body), gateway: gateway, registry: "R")[path]
    for text in ["public enum Demo {", "/// `Get`, with GET.", "public static let get = \"/things/{id}\""] {
      #expect(line(text, in: standard), "\(text)\nis not in\n\(standard ?? "")")
    }
    let names = "nova: {endpoint_names: [{selector: nova.demo_service.v1.DemoService.Get, name: import}]}"
    let named = try generate(demo(body), gateway: "\(gateway)\n\(names)", registry: "R")[path]
    #expect(line("public static let `import` = \"/things/{id}\"", in: named), "\(named ?? "")")
  }

  /// What stands in for a service asks for the same as the service has, composed calls included.
  @Test func protocolsAndFakes() throws {
    let composed = """
      nova: {composed_calls: [
        {service: nova.demo_service.v1.DemoService, name: GetTwice, request: Int, response: "String", comment: Twice.}]}
      """
    let files = try generate(demo(body), gateway: "\(gateway)\n\(composed)", fakes: "T")
    let expected = [
      "Sources/NovaDemo/Generated/DemoService.swift": [
        "public struct DemoService: NovaService, DemoServiceProtocol {",
        "public func get(_ request: Thing) async throws -> Thing {",
      ],
      "Sources/NovaDemo/Generated/DemoServiceProtocol.swift": [
        "public protocol DemoServiceProtocol: ServiceProtocol {", "/// Gets \"one\" \\ thing.",
        "func get(_ request: Thing) async throws -> Thing", "/// Twice.",
        "func getTwice(_ request: Int) async throws -> String",
      ],
      "Sources/T/Generated/FakeDemoService.swift": [
        "public import NovaDemo", "public final class FakeDemoService: DemoServiceProtocol, FakeService {",
        "public let get: FakeRPC<Thing, Thing>", "self.get = FakeRPC(\"demo.Get\", log: log)",
        "try await self.get.answer(request, options: options)", "self.getTwice = FakeRPC(\"demo.GetTwice\", log: log)",
        "public func getTwice(_ request: Int) async throws -> String {",
      ],
    ]
    for (path, lines) in expected {
      for text in lines { #expect(line(text, in: files[path]), "\(text)\nis not in\n\(files[path] ?? "")") }
    }
    #expect(
      !line("public func getTwice(_ request: Int) async throws -> String {", in: files[expected.keys.sorted()[0]]))
  }

  /// With CRLF, or with a lone CR in a comment, everything of a comment stays a comment.
  @Test func commentsStayCommentsWhateverTheLineBreaks() throws {
    let text = "// One.\n// Two.\nmessage M {\n// A.\n// B.\nstring a = 1;\n}"
    let expected = try generate(demo(text))
    let crlf = demo(text).mapValues { $0.replacing("\n", with: "\r\n") }
    #expect(try generate(crlf) == expected)
    let source = try generate(demo("// One.\rfatalError()\nmessage M {}"))[
      "Sources/NovaDemo/Generated/DemoMessages.swift"]
    #expect(!line("fatalError()", in: source), "\(source ?? "")")
  }

  @Test func aPackageWithNothingInItIsNotInTheRegistry() throws {
    let files = try generate(["a.proto": "syntax = \"proto3\"; package nova.a.v1;"], registry: "R")
    #expect(
      files.keys.sorted() == ["APIConfig", "NovaServices", "Registry"].map { "Sources/R/Generated/\($0).swift" })
    #expect(files.values.allSatisfy { !$0.contains("AMessages") && !$0.contains("NovaA") })
  }

  @Test func bytesThatAreNoDescriptorSetAreAnError() throws {
    let config = try GatewayConfig(yaml: "type: x")
    #expect(throws: (any Error).self) {
      try Generator.files(descriptorSet: [0xFF, 0xFF], gateway: config, registryModule: nil)
    }
  }

  @Test func commentsAndWhatServersCheckAreTexts() throws {
    let body = """
      // Looks things up.
      //
      // Errors: NOT_FOUND when there is none.
      service DemoService { rpc Get(Request) returns (Request); }
      message Request {
        // Which "one".
        string id = 1;
        int32 size = 2;
      }
      """
    let request = "nova.demo_service.v1.Request"
    let gateway = """
      http: {rules: [{selector: nova.demo_service.v1.DemoService.Get, post: /get, body: "*"}]}
      nova:
        known_values: [{field: \(request).id, values: [a, 'b"']}]
        maximum_lengths: [{field: \(request).id, maximum: 64}]
        text_patterns: [{field: \(request).id, pattern: '\\S'}]
        number_bounds: [{field: \(request).size, minimum: -1}]
      """
    let files = try generate(demo(body), gateway: gateway, texts: "NovaTexts")
    let text = files["Sources/NovaTexts/Generated/ContractComments.swift"] ?? "no file"
    for line in [
      """
          nova.demo_service.v1.DemoService
            Looks things up.

            Errors: NOT_FOUND when there is none.
          nova.demo_service.v1.Request.id
            Which "one".
      """, #""\#(request).id": ["a", "b\""],"#, #""\#(request).id": 64,"#,
      #""\#(request).id": "\\S","#, #""\#(request).size": (-1, nil),"#,
    ] {
      #expect(text.contains(line), "\(text)")
    }
  }
}
