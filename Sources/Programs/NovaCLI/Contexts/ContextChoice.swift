import NovaCore

/// Which context a command uses: `--context`, or else `NOVA_CONTEXT`, or else the current one.
enum ContextChoice {
  /// What chose a context.
  enum Source: String {
    case option = "--context"
    case variable = "NOVA_CONTEXT"
    case current = "nova context use"
  }

  /// Returns the name of the chosen context and what chose it; nil without one.
  static func name(typed: String?, in contexts: SavedContexts) -> (name: String, source: Source)? {
    if let typed { return (typed, .option) }
    if let name = System.variable(ConfigurationVariable.context) { return (name, .variable) }
    return contexts.current.map { ($0, .current) }
  }

  /// Returns the chosen context; nil without one.
  ///
  /// - Throws: ``Failure`` if it does not exist, or the contexts cannot be read.
  static func context(typed: String?) throws -> ConfigurationContext? {
    let isNamed = typed != nil || System.variable(ConfigurationVariable.context) != nil
    // Without a home directory there are no contexts, unless one is named.
    guard let store = try isNamed ? ContextStore.ofUser() : try? ContextStore.ofUser() else { return nil }
    let contexts = try store.read()
    guard let (name, source) = name(typed: typed, in: contexts) else { return nil }
    guard var context = contexts[name] else {
      throw notFound(name, among: contexts.names, from: source == .variable ? source.rawValue : nil)
    }
    context.isTyped = source == .option
    return context
  }

  /// The failure for the name of a context that does not exist.
  ///
  /// - Parameters:
  ///   - source: the variable with the name.
  ///   - canBeAdded: whether a context of this name would help.
  static func notFound(
    _ name: String, among names: [String], from source: String? = nil, canBeAdded: Bool = true
  ) -> Failure {
    let advice = "List all with `nova context list`\(canBeAdded ? ", or add it with `nova context add`" : "")."
    return Failure(
      "not found: context \"\(name.printable(to: 80))\"\(source.map { " (\($0))" } ?? "")",
      hint: Suggestions.sentence(for: name, among: names, otherwise: advice), .notFound)
  }
}
