import ArgumentParser
import NovaSDK

struct Describe: AsyncParsableCommand, OutputChoice {
  static let configuration = CommandConfiguration(
    commandName: "describe", abstract: "Describe a service, an RPC, or a message of the contract, or of a gRPC server.",
    usage: """
      nova describe [<name>] [--output <output>]
      nova describe grpc://<host>:<port>[/<name>] [<options>]
      """,
    discussion: """
      nova describe                        list the services
      nova describe graph                  list the RPCs of a service
      nova describe graph.GetFollowers     show fields, limits, errors, and an example
      nova describe Post -o json
      nova describe grpc://localhost:50051/acme.shop.v1.Shop

      Describes the contract that nova was built with, and sends nothing. With a URL, asks a gRPC server by reflection for its \
      services, RPCs, messages, and enums.
      """)

  @Argument(
    help: .value("name", "The service, RPC, or message; ignores case. Default: all services."),
    completion: Completions.contract)
  var name: String?

  @OptionGroup var output: OutputOptions<DescribeFormat>
  @OptionGroup var filter: FilterOptions
  @OptionGroup(title: "Connection") var header: HeaderOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() async throws {
    guard let name else { return try writeServices() }
    if let address = ServiceAddress(name) { return try await describe(address) }
    try write(try Self.find(name))
  }

  static func find(_ name: String) throws -> ContractDescription {
    if let found = ContractDescription(named: name) { return found }
    let hint =
      ServiceAddress.isMissingScheme(name)
      ? "To describe a gRPC server, write its URL with grpc:// or grpcs://."
      : Suggestions.sentence(
        for: name, among: ContractDescription.names, otherwise: "List the services with `nova describe`.")
    throw Failure("not found: service, RPC or message \(name.quoted)", hint: hint, .usage)
  }

  private func write(_ description: ContractDescription) throws {
    if filter.isUsed {
      let json = description.json
      try filter.template?.check(json)
      return try filter.write(json)
    }
    try Self.write(description, as: format)
  }

  static func write(_ description: ContractDescription, as format: OutputFormat) throws {
    let output = StandardOutput()
    switch format {
    case .json, .ndjson: try output.writeLine(description.json, as: format)
    case .ids: for name in description.parts { try output.writeLine(name) }
    case .table:
      try output.write { text in description.write(to: &text) }
    }
    try output.finish()
  }

  /// Describes what a server has.
  private func describe(_ address: ServiceAddress) async throws {
    #if GRPC
      let headers = try header.fields()
      try await CommandContext.run(try connection.calling(address), showing: view) { context in
        var options = context.options
        options.headers = headers
        try await context.calling(address) {
          var reflection = ServiceReflection(context, options)
          let description = try await ServiceDescription(address, &reflection)
          switch format {
          case .json, .ndjson: try context.output.writeLine(description.json, as: format)
          case .ids: for name in description.parts { try context.output.writeLine(name) }
          case .table: try context.output.write { text in description.write(to: &text) }
          }
        }
      }
    #else
      throw Failure("this nova cannot ask gRPC servers: it was built without the package trait GRPC", .usage)
    #endif
  }

  private func writeServices() throws {
    let services = ContractDescription.services
    if format == .ids { return try StandardOutput.print(services.map(\.name)) }
    guard format == .table else {
      return try Table("SERVICE").print(
        format, json: services.map { ContractDescription.json($0.name, $0.rpcs, isWhole: false) }, showing: view)
    }
    let target = StandardOutput()
    try target.write { text in
      text.title("SERVICES")
      text.list(
        services.map { service in
          let comment = ContractDescription.comment(of: service.rpcs.first?.package ?? "").first ?? ""
          return (service.name, "\(comment) \(service.rpcs.count) RPCs.")
        })
    }
    try target.flush()
  }
}

extension StandardOutput {
  /// Writes a description in the width of the terminal.
  func write(_ describe: (inout DescriptionText) -> Void) throws {
    var text = DescriptionText(styles: styles, width: System.terminalWidth(descriptor))
    describe(&text)
    for line in text.lines { try writeLine(line) }
  }
}

/// The formats of descriptions.
enum DescribeFormat: String, OutputFormats {
  case table, json, ndjson, ids

  static let help: ArgumentHelp = "The format of the output. Default: table. ids prints names, one per line."
}

extension ContractDescription {
  /// The names of its parts: the RPCs of a service, the fields of a message or a request.
  fileprivate var parts: [String] {
    switch self {
    case .service(_, let rpcs): rpcs.map(\.id)
    case .rpc(let rpc): rpc.requestType.descriptor.fields.map(\.name)
    case .message(let message): message.fields.map(\.name)
    }
  }
}

/// `nova call graph.GetFollowers --help`: the fields of the RPC, too.
enum CallHelp {
  /// The RPC whose help the arguments ask for.
  static func rpc(in arguments: [String]) -> RPCDescriptor? {
    let words = arguments.prefix { $0 != "--" }
    if words.first == "help", words.count == 3, words[1] == "call" { return RPCRegistry.nova.rpc(named: words[2]) }
    guard words.first == "call", words.contains("--help") || words.contains("-h") else { return nil }
    return words.dropFirst().lazy.filter { !$0.hasPrefix("-") }.compactMap { RPCRegistry.nova.rpc(named: $0) }.first
  }

  static func write(_ rpc: RPCDescriptor) throws {
    try Describe.write(.rpc(rpc), as: .table)
    try StandardOutput.print("", "See `nova call --help` for the options.")
  }
}
