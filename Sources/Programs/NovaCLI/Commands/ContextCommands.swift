import ArgumentParser
import NovaSDK

struct ContextCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "context",
    abstract: "Add, list, switch, and remove contexts.",
    usage: "nova context <subcommand>",
    discussion: """
      nova context add local --base-url http://localhost:8080 --use
      nova context add staging --environment staging
      nova login ada@example.com --context staging
      nova context list

      Commands use the context that --context names, or else NOVA_CONTEXT, or else the current one. Each context has \
      its own sessions. Contexts are stored in ~/.config/nova/contexts.json, without tokens or passwords.
      """,
    subcommands: [
      ContextAdd.self, ContextUse.self, ContextList.self, ContextCurrent.self, ContextRemove.self,
    ], defaultSubcommand: ContextList.self)
}

struct ContextAdd: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Save settings under a name.",
    usage: "nova context add <name> [--use] [--force] [<settings>]",
    discussion: """
      nova context add local --base-url http://localhost:8080 --use
      nova context add qa --base-url https://qa.example.com --ca-file qa-ca.pem

      Tokens and passwords are not part of a context: sign in with `nova login --context <name>`.
      """)

  @Argument(help: .value("name", "The name: letters, digits, hyphens, underscores, and periods."))
  var name: String
  @Flag(help: "Make it the current context.") var use = false
  @Flag(help: "Replace a context with this name.") var force = false
  @OptionGroup var messages: QuietOptions
  @OptionGroup(title: "Settings") var settings: ContextSettings

  func run() async throws {
    guard SavedContexts.isName(name) else {
      throw Failure(
        "invalid name \"\(name.printable(to: 80))\": expected \(SavedContexts.nameExpectation)", .usage)
    }
    let context = try settings.context(named: name, replaces: force)
    let (wasThere, isCurrent) = try await ContextStore.ofUser().change { contexts in
      let wasThere = contexts[name] != nil
      if let other = contexts.name(like: name) {
        throw Failure(
          "cannot add context \"\(name)\": context \"\(other)\" exists, whose name differs only in case",
          hint: "Choose another name, or remove that context with `nova context remove \(other)`.", .failed)
      }
      guard force || !wasThere else {
        throw Failure(
          "cannot add context \"\(name)\": it exists",
          hint: "Replace it with --force, or remove it with `nova context remove \(name)`.", .failed)
      }
      contexts.set(context)
      if use { contexts.use(name) }
      return (wasThere, contexts.current == name)
    }
    Diagnostics.confirmation("\(wasThere ? "replaced" : "added") context \(name): \(context.summary)")
    if use {
      ContextUse.confirm(name)
    } else if !isCurrent {
      Diagnostics.note("Use it with `nova context use \(name)`, or --context \(name).")
    }
  }
}

struct ContextUse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "use", abstract: "Make a context the current one.",
    usage: "nova context use (<name> | --none)",
    discussion: """
      nova context use staging
      nova context use --none
      """)

  @Argument(
    help: ArgumentHelp("The name of the context.", valueName: "name"),
    completion: .custom { _, _, _ in ContextStore.names })
  var name: String?
  @Flag(help: "Use no context.") var none = false
  @OptionGroup var messages: QuietOptions

  func validate() throws {
    guard (name == nil) == none else {
      throw ValidationError("expected either the name of a context, or --none")
    }
  }

  func run() async throws {
    try await ContextStore.ofUser().change { contexts in
      if let name, contexts[name] == nil { throw ContextChoice.notFound(name, among: contexts.names) }
      contexts.use(name)
    }
    Self.confirm(name)
  }

  /// Reports which context commands use from now on.
  static func confirm(_ name: String?) {
    Diagnostics.confirmation(name.map { "the current context is \($0)" } ?? "no context is current")
    if let variable = System.variable(ConfigurationVariable.context), variable != name {
      Diagnostics.warning("NOVA_CONTEXT is set to \(variable) and takes precedence")
    }
  }
}

struct ContextList: ParsableCommand, OutputChoice {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the contexts, and mark the one in use.",
    usage: "nova context list [--output <output>]", discussion: "nova context list -o json")

  @OptionGroup var output: OutputOptions<ListFormat>
  @OptionGroup var filter: FilterOptions

  func run() throws {
    let contexts = try ContextStore.ofUser().read()
    let chosen = ContextChoice.name(typed: nil, in: contexts)?.name
    if format == .ids { return try StandardOutput.print(contexts.names) }
    var table = Table("CURRENT", "NAME", "SETTINGS")
    table.rows = contexts.all.map { [$0.name == chosen ? "*" : "", $0.name, $0.summary] }
    try table.print(
      format,
      json: contexts.all.map {
        .members(("name", .string($0.name)), ("is_current", .bool($0.name == chosen)), ("settings", $0.json))
      }, showing: view)
    if contexts.all.isEmpty, format == .table {
      Diagnostics.note("no contexts; add one with `nova context add`")
    }
  }
}

struct ContextCurrent: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "current", abstract: "Print the name of the context in use.", usage: "nova context current",
    discussion: "Prints the name in NOVA_CONTEXT if it is set. Fails with exit code 5 without a context.")

  func run() throws {
    guard let context = try ContextChoice.context(typed: nil) else {
      throw Failure(
        "not found: current context", hint: "Choose one with `nova context use`, or name it with --context.", .notFound)
    }
    try StandardOutput.print(context.name)
  }
}

struct ContextRemove: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a context, and its sessions from this machine.",
    usage: "nova context remove <name> [--yes]",
    discussion: """
      nova context remove staging --yes

      If a user is signed in there, asks for confirmation. The server is not notified; to end the session there, too, \
      run `nova logout --context <name>` first.
      """)

  @Argument(
    help: ArgumentHelp("The name of the context.", valueName: "name"),
    completion: .custom { _, _, _ in ContextStore.names })
  var name: String
  @OptionGroup var confirmation: ConfirmationOptions
  @OptionGroup var messages: QuietOptions

  func run() async throws {
    let store = try ContextStore.ofUser()
    let contexts = try store.read()
    guard contexts[name] != nil else {
      throw ContextChoice.notFound(name, among: contexts.names, canBeAdded: false)
    }
    let isSignedIn = try SessionFile.exists(inContext: name)
    if isSignedIn {
      try confirmation.confirmation(to: "remove context \"\(name)\" and its session").obtain()
    }
    // First, so that no session is left of a context that no longer exists.
    try await SessionFile.removeAll(ofContext: name)
    try await store.change { $0.remove(name) }
    Diagnostics.confirmation("removed context \(name)\(isSignedIn ? ", and its session from this machine" : "")")
    guard contexts.current == name, let configuration = try? ConnectionOptions.withoutContext() else { return }
    Diagnostics.note("no context is current now; calls go to \(configuration.place)")
  }
}
