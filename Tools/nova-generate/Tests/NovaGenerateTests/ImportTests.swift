import NovaGenerate
import Testing

/// What is generated of the contract's own files, and of the files that they import.
@Suite struct ImportTests {
  /// As google/longrunning/operations.proto: a service with a path that is not supported.
  private static let operations = """
    syntax = "proto3";
    package vendor.operations;
    import "google/api/annotations.proto";
    service Operations {
      rpc Get(GetRequest) returns (Operation) { option (google.api.http) = {get: "/v1/{name=operations/**}"}; }
      rpc Watch(stream GetRequest) returns (stream Operation);
    }
    message GetRequest { string name = 1; }
    message Operation {
      message Step { Phase phase = 1; }
      string name = 1;
      oneof result { Problem error = 2; string text = 3; }
      map<string, Step> steps = 4;
    }
    message Problem { int32 code = 1; }
    enum Phase { PHASE_UNSPECIFIED = 0; }
    message Unused { map<bool, string> flags = 1; }
    enum UnusedPhase { UNUSED_PHASE_UNSPECIFIED = 0; }
    """

  private func generate(
    _ own: [String: String], importing others: [String: String] = [:], gateway: String? = nil
  ) throws -> [String: String] {
    let (folder, imports) = (try TemporaryFolder(), try TemporaryFolder())
    for (path, text) in own { try folder.write(text, to: path) }
    for (path, text) in others { try imports.write(text, to: path) }
    let descriptors = try Protoc(importPaths: [imports.url.path]).descriptorSet(ofFilesBelow: folder.url.path)
    return try Generator.files(
      descriptorSet: descriptors, gateway: try gateway.map { try GatewayConfig(yaml: $0) } ?? GatewayConfig(),
      registryModule: nil, ownFiles: Set(Protoc.files(below: folder.url.path)), module: "Acme")
  }

  /// The types that the files declare at the top.
  private func types(in files: [String: String]) -> [String] {
    files.sorted { $0.key < $1.key }.filter { $0.key.hasSuffix("Messages.swift") }
      .flatMap { $0.value.matches(of: /\n *public struct (\w+): Proto/).map { String($0.output.1) } }
  }

  @Test func onlyWhatIsUsedOfAnImport() throws {
    let body = "message M { vendor.operations.Operation operation = 1; }"
    let files = try generate(
      demo(body, imports: ["vendor/operations.proto"]), importing: ["vendor/operations.proto": Self.operations])
    #expect(types(in: files) == ["M", "Operation", "Step", "Problem", "Phase"])
    #expect(files.keys.allSatisfy { $0.hasSuffix("Messages.swift") }, "\(files.keys.sorted())")
  }

  @Test(arguments: [
    ("service S { rpc Get(vendor.operations.Problem) returns (M); } message M {}", ["M", "Problem"]),
    ("message M { vendor.operations.Operation.Step step = 1; }", ["M", "Operation", "Step", "Problem", "Phase"]),
    ("message M { map<string, vendor.operations.Phase> phases = 1; }", ["M", "Phase"]),
    ("message M {}", ["M"]),
  ])
  func waysToUseAnImport(_ body: String, _ expected: [String]) throws {
    let files = try generate(
      demo(body, imports: ["vendor/operations.proto"]), importing: ["vendor/operations.proto": Self.operations])
    #expect(types(in: files) == expected)
  }

  /// A `gateway.yaml` is also that of the gateway, which may serve them.
  @Test func rulesForImportedServicesHaveNoEffect() throws {
    let body = "message M { vendor.operations.Problem problem = 1; }"
    let files = try generate(
      demo(body, imports: ["vendor/operations.proto"]), importing: ["vendor/operations.proto": Self.operations],
      gateway: "http: {rules: [{selector: vendor.operations.Operations.Get, get: '/v1/{name=operations/**}'}]}")
    #expect(types(in: files) == ["M", "Problem"])
  }

  /// The same file below `--protos` is the contract's own.
  @Test func ownServicesAreChecked() throws {
    let error = #expect(throws: GenerationError.self) { try generate(["operations.proto": Self.operations]) }
    #expect(error?.file == "operations.proto")
  }

  private func options(_ syntax: String, _ body: String) -> String {
    let label = syntax == "proto2" ? "optional " : ""
    return """
      syntax = "\(syntax)"; package acme.shop.v1; import "google/protobuf/descriptor.proto";
      extend google.protobuf.FieldOptions { \(label)Rules rules = 50000; \(label)Level level = 50001; }
      message Rules { \(label)Limit limit = 1; }
      message Limit { \(label)int32 value = 1; }
      enum Level { LEVEL_UNSPECIFIED = 0; }
      \(body)
      """
  }

  @Test(arguments: [
    ("message Order { string id = 1; } enum Kind { KIND_UNSPECIFIED = 0; }", ["Order", "Kind"]),
    ("message Order { Limit limit = 1; }", ["Limit", "Order"]),
    ("", []),
    (
      "message Order {} service Shop { rpc Get(Order) returns (Order); }", ["Rules", "Limit", "Order", "Level"]
    ),
  ])
  func messagesBesideOptionsAreGenerated(_ body: String, _ expected: [String]) throws {
    #expect(types(in: try generate(["shop.proto": options("proto3", body)])) == expected)
  }

  @Test func messagesBesideOptionsOfProto2AreNotLost() throws {
    #expect(try generate(["shop.proto": options("proto2", "")]).isEmpty)
    let error = #expect(throws: GenerationError.self) {
      try generate(["shop.proto": options("proto2", "message Order { optional string id = 1; }")])
    }
    #expect(error?.description.hasPrefix("shop.proto: acme.shop.v1: is not proto3, which is required;") == true)
  }

  /// Well-known packages of options are often among the contract's own files.
  @Test(arguments: ["google.api", "buf.validate", "validate"])
  func wellKnownOptionsAreNotOfTheContract(_ package: String) throws {
    let file = """
      syntax = "proto2"; package \(package); import "google/protobuf/descriptor.proto";
      extend google.protobuf.FieldOptions { optional Rules rules = 50000; }
      message Rules {}
      message Violation {}
      """
    let files = try generate(demo("message M {}", imports: ["rules.proto"]).merging(["rules.proto": file]) { $1 })
    #expect(types(in: files) == ["M"])
  }
}
