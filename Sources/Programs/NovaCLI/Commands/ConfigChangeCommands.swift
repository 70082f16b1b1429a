import ArgumentParser
import NovaCore

/// Where `nova config set` and `unset` change a setting.
struct ConfigTargetOptions: ParsableArguments {
  @Option(
    help: .value(
      "file", "The configuration file. Default: that of NOVA_CONFIG, or else APIConfig.json in the current directory."),
    completion: .file())
  var config: String?

  @Option(
    help: .value("name", "The context to change, instead of a file."),
    completion: .custom { _, _, _ in ContextStore.names })
  var context: String?

  func validate() throws {
    if config != nil, context != nil { throw ValidationError("--config and --context cannot be combined") }
  }

  /// The settings that files do not have: where calls go depends on the environment there.
  private static let ofContexts: Set = ["base_url", "timeout_seconds"]

  /// The context to change; nil for a file.
  ///
  /// - Throws: ``Failure`` for a setting that only contexts have, if no context is named or current.
  func contextName(for key: String) throws -> String? {
    if let context { return context }
    guard config == nil, Self.ofContexts.contains(key) else { return nil }
    if let current = try ContextChoice.context(typed: nil) { return current.name }
    throw Failure(
      "cannot change \(key): files have it for each environment, and no context is current",
      hint: key == "base_url"
        ? "Add a context with `nova context add <name> --base-url <url> --use`, or set environments.<name>.base_url."
        : "Use environments.<name>.timeout_seconds, or a context: `nova context add <name> --timeout <time>`.", .usage)
  }

  var file: SettingsFile {
    if let path = config ?? System.variable(ConfigurationVariable.config) {
      return SettingsFile(path: path, isFound: false)
    }
    return SettingsFile(path: "APIConfig.json", isFound: true)
  }
}

struct ConfigSet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Change a setting in a configuration file or a context.",
    usage: "nova config set <key> <value> [--config <file>] [--context <name>]",
    discussion: """
      nova config set retry.attempts 5
      nova config set environment staging --config staging.json
      nova config set base_url http://localhost:8080 --context local

      Keys are those of `nova config show`. Lists have commas between their values. The file is created if it does not \
      exist, and not changed if the value is invalid. A file that you have approved stays approved. Tokens and passwords \
      are never stored in files: use `nova login`.
      """)

  @Argument(help: .value("key", "The setting, such as retry.attempts."), completion: Completions.settings) var key:
    String
  @Argument(help: .value("value", "The value.")) var value: String
  @OptionGroup var target: ConfigTargetOptions
  @OptionGroup var messages: QuietOptions

  func run() async throws {
    if let name = try target.contextName(for: key) {
      try await ContextSetting(context: name, key: key).set(value)
    } else {
      let (file, key, value) = (target.file, key, value)
      try file.change { try $0.set(key, to: value, in: file) }
    }
    Diagnostics.confirmation("\(key) is now \(value.displayed) in \(try place)")
  }

  private var place: String {
    get throws { try target.contextName(for: key).map { "context \($0)" } ?? target.file.path.displayed }
  }
}

struct ConfigUnset: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unset", abstract: "Remove a setting from a configuration file or a context.",
    usage: "nova config unset <key> [--config <file>] [--context <name>]",
    discussion: """
      nova config unset retry.attempts
      nova config unset timeout_seconds --context local

      The setting has its built-in value again, or that of a variable or context.
      """)

  @Argument(help: .value("key", "The setting, such as retry.attempts."), completion: Completions.settings) var key:
    String
  @OptionGroup var target: ConfigTargetOptions
  @OptionGroup var messages: QuietOptions

  func run() async throws {
    if let name = try target.contextName(for: key) {
      try await ContextSetting(context: name, key: key).remove()
      return Diagnostics.confirmation("\(key) is removed from context \(name)")
    }
    let (file, key) = (target.file, key)
    try file.change { try $0.remove(key, from: file) }
    Diagnostics.confirmation("\(key) is removed from \(file.path.displayed)")
  }
}

/// A setting of a context.
struct ContextSetting {
  let context: String
  let key: String

  /// - Throws: ``Failure`` for an invalid value, and for a setting that contexts do not have.
  func set(_ text: String) async throws {
    guard ConfigurationContext.keys.contains(key) else { throw unknown }
    guard
      let value = SettingText(text).candidates.first(where: { ConfigurationContext.isValid($0, for: key) })
    else { throw Failure("invalid \(key) \(text.printable(to: 100).quoted) for a context", .usage) }
    try await change { settings in
      let setting = ConfigurationContext.Setting(key, value)
      if let index = settings.firstIndex(where: { $0.key == key }) {
        settings[index] = setting
      } else {
        settings.append(setting)
      }
    }
  }

  func remove() async throws {
    try await change { settings in
      guard settings.contains(where: { $0.key == key }) else {
        throw Failure("not found: \(key) in context \(context)", .notFound)
      }
      guard settings.count > 1 else {
        throw Failure(
          "cannot remove \(key): it is the only setting of context \(context)",
          hint: "Remove the context with `nova context remove \(context)`.", .failed)
      }
      settings.removeAll { $0.key == key }
    }
  }

  private func change(_ body: @Sendable (inout [ConfigurationContext.Setting]) throws -> Void) async throws {
    try await ContextStore.ofUser().change { contexts in
      guard var changed = contexts[context] else { throw ContextChoice.notFound(context, among: contexts.names) }
      try body(&changed.settings)
      contexts.set(changed)
    }
  }

  private var unknown: Failure {
    Failure(
      "not a setting of contexts: \(key.printable(to: 80))",
      hint: Suggestions.sentence(
        for: key, among: ConfigurationContext.keys,
        otherwise: "Contexts have \(ConfigurationContext.keys.joined(separator: ", ")); files have all others."), .usage
    )
  }
}
