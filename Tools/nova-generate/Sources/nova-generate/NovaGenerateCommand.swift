import ArgumentParser
import Foundation
import NovaGenerate

@main
struct NovaGenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nova-generate",
    abstract: "Writes NovaSDK's generated sources from the contract.",
    discussion: """
      Takes protoc's descriptor set and gateway.yaml; writes messages, RPC descriptors, services, their fakes and the registry. \
      With --check it writes nothing and exits 1 when a file differs from what it would write.
      """)

  @Option(help: "What protoc --include_imports --include_source_info --descriptor_set_out wrote.")
  var descriptors: String

  @Option(help: "The HTTP bindings and the rest that .proto files have no words for.")
  var gateway: String

  @Option(help: "The project's root.")
  var output = "."

  @Option(help: "The module that gets the registry of all RPCs and messages; none without it.")
  var registry: String?

  @Option(help: "The module that gets a fake of every service; none without it.")
  var fakes: String?

  @Option(help: "The module that gets the comments of the contract, for `nova describe` and OpenAPI; none without it.")
  var texts: String?

  @Option(help: "The module that gets the rules of stored answers and waiting writes; none without it.")
  var offline: String?

  @Flag(help: "Only compare.")
  var check = false

  func run() throws {
    let bytes = try Data(contentsOf: URL(filePath: descriptors))
    let yaml = try String(contentsOf: URL(filePath: gateway), encoding: .utf8)
    let files = try Generator.files(
      descriptorSet: Array(bytes), gateway: try GatewayConfig(yaml: yaml, file: gateway), registryModule: registry,
      fakesModule: fakes, textsModule: texts, offlineModule: offline)
    let generated = GeneratedFiles(root: URL(filePath: output), files: files)
    guard check else { return try generated.write() }
    let differences = generated.differences()
    guard differences.isEmpty else {
      let list = differences.map { "  \($0)\n" }.joined()
      FileHandle.standardError.write(Data("These are not what the contract says; run `make generate`:\n\(list)".utf8))
      throw ExitCode.failure
    }
  }
}
