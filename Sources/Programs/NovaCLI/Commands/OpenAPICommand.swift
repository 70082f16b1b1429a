import ArgumentParser
import NovaContract
import NovaCore

struct OpenAPICommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "openapi",
    abstract: "Write the contract as an OpenAPI 3.1 document.",
    usage: "nova openapi [--out <file>] [--server <url> ...] [--optional-tokens] [-o <format>]",
    discussion: """
      nova openapi --out openapi.json
      nova openapi --out openapi.yaml
      nova openapi --server http://localhost:8080 --optional-tokens > openapi.json
      nova openapi --jq '.paths | keys[]'

      The document contains each RPC with its messages, limits, errors, and authentication, and the routes for \
      uploading bytes and reading files. Use it with Swagger UI, Prism, Schemathesis, or a code generator. The same \
      version of nova writes the same bytes.
      """)

  @Option(
    help: .value("file", "File to write; .yaml and .yml mean YAML (default: standard output)."), completion: .file())
  var out: String?

  @Option(help: .value("url", "Base URL of a gateway; can be repeated (default: the built-in environments)."))
  var server: [String] = []

  @Flag(help: "Describe a server that accepts calls without a token, such as nova serve without --require-tokens.")
  var optionalTokens = false

  @Option(
    name: [.short, .customLong("output"), .customLong("format")],
    help: .value("format", "Format of the document: json or yaml (default: that of the file's name, or json)."))
  var output: OpenAPIFormat?

  @OptionGroup var filter: FilterOptions

  func validate() throws {
    _ = try servers
    guard filter.isUsed else { return }
    let option = filter.jq == nil ? "--template" : "--jq"
    if out != nil { throw ValidationError("\(option) and --out cannot be combined; use > to write a file") }
    if format != .json { throw ValidationError("\(option) reads JSON; remove --output") }
  }

  /// The format of `--output`, or else of the file's name.
  private var format: OpenAPIFormat { output ?? out.map(OpenAPIFormat.init(ofFile:)) ?? .json }

  /// The gateways of `--server`.
  private var servers: [OpenAPIDocument.Server] {
    get throws {
      try server.map { text in
        guard let configuration = try? APIConfiguration(ConfigurationOverrides(baseURL: text)),
          !configuration.baseURL.origin.usesGRPC
        else {
          // Without the text: it may contain a password.
          throw ValidationError("invalid --server: expected a URL such as http://localhost:8080")
        }
        return OpenAPIDocument.Server(url: configuration.baseURL.text)
      }
    }
  }

  func run() throws {
    let servers = try server.isEmpty ? OpenAPIDocument.Server.environments : self.servers
    let document = OpenAPIDocument(servers: servers, requiresTokens: !optionalTokens).json
    if filter.isUsed {
      try filter.template?.check(document)
      return try filter.write(document)
    }
    let bytes = format.bytes(document)
    guard let out else {
      let standardOutput = StandardOutput()
      try standardOutput.write(json: bytes)
      return try standardOutput.flush()
    }
    try Failure.writing(out) { try System.replaceFile(out, with: bytes) }
  }
}

enum OpenAPIFormat: String, ExpressibleByArgument, CaseIterable {
  case json, yaml

  /// The format that the extension of a file's name means; JSON for others.
  init(ofFile path: String) {
    let name = path.lowercased()
    self = name.hasSuffix(".yaml") || name.hasSuffix(".yml") ? .yaml : .json
  }

  fileprivate func bytes(_ document: JSONValue) -> [UInt8] {
    switch self {
    case .json: PrettyJSON.spread(document) + "\n".utf8
    case .yaml: YAMLText.document(document).utf8Bytes
    }
  }
}
