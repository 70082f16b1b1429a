import ArgumentParser
import Foundation
import NovaGenerate

@main
struct NovaGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nova-generate",
    abstract: "Write Swift for gRPC services behind an HTTP/JSON gateway: messages, typed calls, protocols and fakes.",
    discussion: """
      For your own services, name the folder of their .proto files and the Swift modules to write:

        nova-generate --protos Protos --module AcmeAPI --testing AcmeAPITesting

      This needs protoc. The files go to Sources/<module>/Generated in --output. See docs/own-services.md.

      With --check, nothing is written, and the exit code is 1 if a file differs from what would be written.
      """)

  @Option(help: "The folder of the .proto files; all below it are read.")
  var protos: String?

  @Option(
    help: ArgumentHelp(
      "A folder with .proto files that those import: only what is used becomes code. Repeatable.", valueName: "folder"))
  var importPath: [String] = []

  @Option(help: "The module of all generated messages and services.")
  var module: String?

  @Option(help: "The module for tests: a fake of every service, and routes of mock backends. Default: none.")
  var testing: String?

  @Option(help: "The HTTP bindings, and the rest that .proto files have no words for. Default: canonical proto3 JSON.")
  var gateway: String?

  @Option(help: "The package's root.")
  var output = "."

  @Option(help: "What protoc --include_imports --include_source_info --descriptor_set_out wrote, in place of --protos.")
  var descriptors: String?

  @Option(help: "The module that gets the registry of all RPCs and messages; none without it.")
  var registry: String?

  @Option(help: "The module that gets the names of the services; none without it.")
  var names: String?

  @Option(help: "The module that gets a fake of every service; none without it.")
  var fakes: String?

  @Option(help: "The module that gets the comments of the contract, for `nova describe` and OpenAPI; none without it.")
  var texts: String?

  @Option(help: "The module that gets the rules of stored answers and waiting writes; none without it.")
  var offline: String?

  @Flag(help: "Compare the files, and write nothing.")
  var check = false

  func validate() throws {
    guard (protos == nil) != (descriptors == nil) else {
      throw ValidationError("name the folder of the .proto files: --protos <folder>")
    }
    guard protos == nil || module != nil else {
      throw ValidationError("name the module to write: --module <name>")
    }
    for name in [module, testing].compactMap(\.self) where name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) == nil {
      throw ValidationError("invalid module name: \"\(name)\"; use letters, digits and _")
    }
  }

  func run() throws {
    let files = try Generator.files(
      descriptorSet: try descriptorSet(), gateway: try configuration(), registryModule: registry,
      namesModule: names, fakesModule: testing ?? fakes, textsModule: texts, offlineModule: offline,
      routesModule: testing,
      ownFiles: protos.map { Set(Protoc.files(below: $0)) }, module: module)
    let generated = GeneratedFiles(root: URL(filePath: output), files: files, module: module, testing: testing)
    guard check else { return try generated.write() }
    let differences = generated.differences()
    guard differences.isEmpty else {
      let list = differences.map { "  \($0)\n" }.joined()
      let command = protos == nil ? "run `make generate`" : "generate again without --check"
      FileHandle.standardError.write(Data("These files are not what the contract says; \(command):\n\(list)".utf8))
      throw ExitCode.failure
    }
  }

  private func descriptorSet() throws -> [UInt8] {
    if let descriptors { return Array(try Data(contentsOf: URL(filePath: descriptors))) }
    return try Protoc(importPaths: importPath).descriptorSet(ofFilesBelow: protos ?? "")
  }

  private func configuration() throws -> GatewayConfig {
    guard let gateway else { return GatewayConfig() }
    return try GatewayConfig(yaml: try String(contentsOf: URL(filePath: gateway), encoding: .utf8), file: gateway)
  }
}
