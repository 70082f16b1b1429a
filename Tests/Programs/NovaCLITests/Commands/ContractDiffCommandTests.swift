import Foundation
import NovaCore
import NovaTestSupport
import Testing

@Suite struct ContractDiffCommandTests {
  private static let proto = """
    syntax = "proto3";
    package shop.v1;
    service Shop { rpc Get(GetRequest) returns (Item); }
    message GetRequest { string id = 1; }
    message Item { string id = 1; int32 price = 2; }
    """
  private static let gateway = "http: {rules: [{selector: shop.v1.Shop.Get, get: '/items/{id}'}]}\n"

  /// Runs `body` with a directory that has an old and a new version.
  private func withVersions(
    _ text: String, to other: String, _ body: (_ old: String, _ new: String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, proto) in [("old", Self.proto), ("new", Self.proto.replacing(text, with: other))] {
      let package = folder.appendingPathComponent("\(name)/shop/v1")
      try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
      try proto.write(to: package.appendingPathComponent("shop.proto"), atomically: true, encoding: .utf8)
      let gateway = folder.appendingPathComponent("\(name)/gateway.yaml")
      try Self.gateway.write(to: gateway, atomically: true, encoding: .utf8)
    }
    try await body(folder.appendingPathComponent("old").path, folder.appendingPathComponent("new").path)
  }

  @Test func breakingChangesFail() async throws {
    try await withVersions("int32 price", to: "string price") { old, new in
      let run = try await nova("contract", "diff", old, new)
      #expect(run.status == 1)
      #expect(
        run.output == """
          breaking: Item.price: another type
            old      integer (int32)
            new      string
            meaning  Clients that read integer (int32) fail, or misread it.
            in       shop.Get

          1 breaking, 0 dangerous, and 0 compatible changes

          """, "\(run.output)")
      #expect(run.errors == "nova: 1 breaking change\n")
      let json = try await nova("contract", "diff", old, new, "-o", "json")
      #expect(json.status == 1)
      let document = try JSONValue(jsonUTF8: json.output.utf8Bytes)
      #expect(document["breaking"] == .bool(true))
      #expect(document["changes"]?.elements?.first?["place"] == "Item.price")
    }
  }

  @Test func dangerousChangesFailOnRequest() async throws {
    try await withVersions("int32 price", to: "int64 price") { old, new in
      // Without the section `nova`, 64-bit integers are strings.
      let run = try await nova("contract", "diff", old, new)
      #expect(run.status == 1, "\(run)")
    }
    try await withVersions("int32 price = 2", to: "int32 price = 3") { old, new in
      let passed = try await nova("contract", "diff", old, new)
      #expect(passed.status == 0, "\(passed)")
      let run = try await nova("contract", "diff", old, new, "--fail-on", "dangerous")
      #expect(run.status == 1 && run.errors == "nova: 1 dangerous change\n", "\(run)")
    }
    try await withVersions("", to: "") { old, new in
      let run = try await nova("contract", "diff", old, new)
      #expect(run.status == 0 && run.output == "no changes\n" && run.errors.isEmpty, "\(run)")
    }
  }

  @Test func whatCannotBeReadIsBadData() async throws {
    try await withVersions("message Item {", to: "message Item (") { old, new in
      let run = try await nova("contract", "diff", old, new)
      #expect(run.status == 65 && run.errors.contains("shop/v1/shop.proto:5: expected {, found ("), "\(run)")
      let kinds = try await nova("contract", "diff", old, new + "/shop/v1/shop.proto")
      #expect(kinds.status == 65, "\(kinds)")
      let empty = try await nova("contract", "diff", old, "/does/not/exist")
      #expect(empty.status == 65 && empty.errors.contains("/does/not/exist"), "\(empty)")
    }
    for arguments in [["-", "-"], ["x"]] {
      let run = try await ProgramRun(["contract", "diff"] + arguments).result()
      #expect(run.status == 64, "\(run)")
    }
  }

  @Test func documentsOfTheProgramAreCompared() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml")
    defer { try? FileManager.default.removeItem(at: file) }
    let written = try await nova("openapi", "-o", "yaml", "--out", file.path)
    #expect(written.status == 0, "\(written)")
    let run = try await nova("contract", "diff", file.path, file.path)
    #expect(run.status == 0 && run.output == "no changes\n", "\(run)")
  }
}
