import Foundation
import NovaCore
import NovaTestSupport
import Testing

@Suite struct OpenAPICommandTests {
  @Test func theDocumentIsTheSameInAFileAndOnStandardOutput() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let printed = try await nova("openapi")
    #expect(printed.status == 0 && printed.errors.isEmpty, "\(printed.errors)")
    let written = try await nova("openapi", "--out", file.path)
    #expect(written.status == 0 && written.output.isEmpty && written.errors.isEmpty, "\(written)")
    #expect(try String(contentsOf: file, encoding: .utf8) == printed.output)
    let document = try JSONValue(jsonUTF8: printed.output.utf8Bytes)
    #expect(document["openapi"]?.stringValue == "3.1.0")
  }

  @Test func serversReplaceTheEnvironments() async throws {
    let run = try await nova(
      "openapi", "--server", "http://localhost:9/", "--server", "https://api.example.com/v2", "-o", "yaml")
    #expect(run.status == 0)
    #expect(
      run.output.contains(
        """
        servers:
          -
            url: "http://localhost:9"
          -
            url: "https://api.example.com/v2"
        tags:

        """), "\(run.output.prefix(3000))")
  }

  @Test(
    arguments: [
      ("a.yaml", [], true), ("a.YML", [], true), ("a.json", [], false), ("a", [], false),
      ("a.json", ["-o", "yaml"], true),
      ("a.yaml", ["--format", "json"], false),
    ] as [(String, [String], Bool)])
  func theNameOfTheFileMeansAFormat(_ name: String, _ options: [String], _ isYAML: Bool) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent(name)
    let run = try await ProgramRun(["openapi", "--out", file.path] + options).result()
    #expect(run.status == 0 && run.output.isEmpty && run.errors.isEmpty, "\(run)")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.hasPrefix(isYAML ? "openapi: \"3.1.0\"\n" : "{"), "\(text.prefix(100))")
  }

  @Test func tokensCanBeOptional() async throws {
    let run = try await nova("openapi", "--optional-tokens", "--jq", ".security")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try JSONValue(jsonUTF8: run.output.utf8Bytes).elements?.count == 2, "\(run.output)")
  }

  @Test(arguments: ["localhost", "ftp://example.com", "http://ada:hunter2@example.com", ""])
  func anInvalidServerIsWrongUsage(server: String) async throws {
    let run = try await nova("openapi", "--server", server)
    #expect(run.status == 64 && run.output.isEmpty)
    #expect(run.errors.contains("expected a URL such as http://localhost:8080"), "\(run.errors)")
    #expect(!run.errors.contains("hunter2"))
  }

  @Test func aFileThatCannotBeWrittenIsNamed() async throws {
    let run = try await nova("openapi", "--out", "/does/not/exist.json")
    #expect(run.status == 1)
    #expect(
      run.errors == """
        nova: cannot write /does/not/exist.json: No such file or directory
              Create its directory, or name another place.

        """)
  }
}
