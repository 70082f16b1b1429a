import ArgumentParser
import NovaCore

struct Config: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "Show and change the configuration, and approve configuration files.",
    subcommands: [ConfigShow.self, ConfigSet.self, ConfigUnset.self, ConfigTrust.self, ConfigUntrust.self],
    defaultSubcommand: ConfigShow.self)
}

struct ConfigShow: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show all settings with their values and sources.",
    usage: "nova config show [--output <output>] [<options>]",
    discussion: """
      Later sources take precedence: built-in defaults, APIConfig.json in the current directory (or the file named by \
      NOVA_CONFIG or --config), the current context or the one in NOVA_CONTEXT, NOVA_… variables, --context, other \
      options. If a variable or option chooses another gateway than the context, no setting of the context is used. \
      Secrets are not shown.
      """)

  @OptionGroup var options: ResultOptions

  func run() throws {
    let configuration = try options.connection.configuration()
    configuration.warnings.forEach(Diagnostics.warning)
    noteMissingApproval(configuration)
    var table = Table("SETTING", "VALUE", "SOURCE")
    let rows = [context(configuration)] + configuration.entries.map { ($0.key, $0.value, Self.source($0)) }
    table.rows = rows.map { [$0, $1 ?? "-", $2] }
    try table.print(
      options.format,
      json: rows.map { key, value, source in
        .members(("key", .string(key)), ("value", value.map(JSONValue.string) ?? .null), ("source", .string(source)))
      }, showing: options.view)
  }

  /// The row of the context in use.
  private func context(_ configuration: APIConfiguration) -> (String, String?, String) {
    let contexts = (try? ContextStore.ofUser().read()) ?? SavedContexts()
    guard let chosen = ContextChoice.name(typed: options.connection.context, in: contexts) else {
      return ("context", nil, "built in")
    }
    if configuration.context == nil {
      Diagnostics.note("context \(chosen.name) is not used: a variable or an option chooses another gateway")
    }
    return ("context", configuration.context, chosen.source.rawValue)
  }

  /// Reports a found file that decides where tokens are sent but is not approved.
  private func noteMissingApproval(_ configuration: APIConfiguration) {
    guard let file = configuration.foundFile, !configuration.credentialSettings().isEmpty,
      let approval = try? ApprovedFiles.Approval(file), let approved = try? ApprovedFiles.ofUser()
    else { return }
    guard approved.state(of: approval) != .approved else { return }
    Diagnostics.note(
      "\(file.path) is not approved to decide where tokens are sent; approve it with `nova config trust`")
  }

  private static func source(_ entry: ConfigurationEntry) -> String {
    let flag = entry.source == .code ? ConnectionOptions.flag(of: entry.key) : nil
    return flag ?? "\(entry.source)"
  }
}

struct ConfigTrust: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Approve the APIConfig.json of a directory, so that tokens are sent where it specifies.",
    discussion: """
      A configuration file found in the current directory may come from someone else. Until you approve it, no token, \
      password, session, or client certificate is sent to the gateway it specifies, unless you named that gateway \
      (--base-url, NOVA_BASE_URL, a context) or are signed in there. A changed file must be approved again. Approvals \
      are stored in ~/.config/nova/approved.
      """)

  @Argument(help: .value("directory", "The directory of the file."), completion: .directory)
  var directory = "."
  @Flag(help: "List the approved files.") var list = false
  @OptionGroup var messages: QuietOptions

  func run() throws {
    let approved = try ApprovedFiles.ofUser()
    if list {
      let paths = Set(approved.all().map(\.path)).sorted()
      if paths.isEmpty { Diagnostics.note("no approved files") }
      return try StandardOutput.print(paths.map(\.displayed))
    }
    // The file alone: variables and options are not part of the approval.
    let configuration = try APIConfiguration.load(
      file: .standard(in: directory), environment: [:], overrides: ConfigurationOverrides(), context: nil)
    guard let file = configuration.foundFile else {
      throw Failure(
        "not found: \(foundFile(in: directory))", hint: "Files named with --config need no approval.", .notFound)
    }
    guard !file.decisions.isEmpty else {
      return Diagnostics.confirmation("\(file.path) does not decide where tokens are sent; there is nothing to approve")
    }
    let approval = try ApprovedFiles.Approval(file)
    try approved.approve(approval)
    Diagnostics.confirmation("approved \(approval.path): \(CredentialGuard.list(file.decisions))")
  }
}

struct ConfigUntrust: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "untrust", abstract: "Revoke the approval of a directory's APIConfig.json.",
    discussion: "The file need not exist.")

  @Argument(help: .value("directory", "The directory of the file."), completion: .directory)
  var directory = "."
  @OptionGroup var messages: QuietOptions

  func run() throws {
    let path = try Failure.explaining("cannot find \(directory)") {
      try System.canonicalPath(foundFile(in: directory))
    }
    let wasApproved = try ApprovedFiles.ofUser().revoke(path)
    Diagnostics.confirmation(wasApproved ? "\(path) is no longer approved" : "\(path) was not approved")
  }
}

/// The path of the configuration file that commands find in a directory.
private func foundFile(in directory: String) -> String {
  "\(directory)\(directory.hasSuffix("/") ? "" : "/")APIConfig.json"
}
