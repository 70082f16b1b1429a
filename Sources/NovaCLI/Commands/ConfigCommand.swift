import ArgumentParser
import NovaCore

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the configuration, and approve configuration files.",
    subcommands: [ConfigShow.self, ConfigTrust.self, ConfigUntrust.self], defaultSubcommand: ConfigShow.self)
}

struct ConfigShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show every setting, its value, and where that comes from.",
    discussion: """
      Each source beats those before it: what is built in, APIConfig.json in the current directory (or the file that \
      NOVA_CONFIG or --config names), NOVA_… variables, options of the command line. Secrets are not shown.
      """)

  @OptionGroup var format: ResultOutputOptions
  @OptionGroup(title: "Connection") var connection: ConnectionOptions

  func run() throws {
    let configuration = try connection.configuration()
    configuration.warnings.forEach(Diagnostics.warning)
    tellOfApproval(configuration)
    let output = StandardOutput()
    switch format.output ?? .table {
    case .table, .ids:
      var table = Table("SETTING", "VALUE", "SOURCE")
      table.rows = configuration.entries.map { [$0.key, $0.value ?? "-", Self.source($0)] }
      for line in table.lines(output.styles) { try output.writeLine(line) }
    case .json: try output.writeLine(json: PrettyJSON.spread(.array(configuration.entries.map(Self.json))))
    case .ndjson: for entry in configuration.entries { try output.writeLine(json: Self.json(entry).jsonUTF8) }
    }
    try output.flush()
  }

  /// Reports a found file that decides where tokens are sent but is not approved.
  private func tellOfApproval(_ configuration: APIConfiguration) {
    guard let file = configuration.foundFile, !configuration.credentialSettings().isEmpty,
      let approval = try? ApprovedFiles.Approval(file), let approved = try? ApprovedFiles.ofUser()
    else { return }
    guard approved.state(of: approval) != .approved else { return }
    Diagnostics.note("\(file.path) is not approved to decide where tokens go; `nova config trust` approves it")
  }

  private static func source(_ entry: ConfigurationEntry) -> String {
    let flag = entry.source == .code ? ConnectionOptions.flag(of: entry.key) : nil
    return flag ?? "\(entry.source)"
  }

  private static func json(_ entry: ConfigurationEntry) -> JSONValue {
    .object([
      .init(name: "key", value: .string(entry.key)),
      .init(name: "value", value: entry.value.map(JSONValue.string) ?? .null),
      .init(name: "source", value: .string(source(entry))),
    ])
  }
}
