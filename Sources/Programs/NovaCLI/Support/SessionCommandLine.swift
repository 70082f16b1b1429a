import NovaSDK

/// The commands that open and end the session of a configuration, for hints. Each gateway and each context has its own
/// session, so they repeat what chose the gateway.
extension APIConfiguration {
  /// The gateway in messages.
  var place: String { usesMockData ? "the mock backend" : baseURL.text }

  /// The gateway of a service in messages.
  func place(of service: String) -> String { usesMockData ? place : baseURL(for: service).text }

  func signInCommand(_ email: String = "<e-mail>") -> String { "nova login \(email)\(target)" }

  var signOutCommand: String { "nova logout\(target)" }

  /// What to do when the gateway accepts no token.
  var signInAdvice: String {
    guard token != nil else {
      return """
        Sign in with `\(signInCommand())`, or set a valid token in NOVA_TOKEN, or in a file named by NOVA_TOKEN_FILE.
        """
    }
    // It takes precedence over a session.
    return "Unset \(tokenVariable), or set a valid token."
  }

  private var tokenVariable: String {
    guard case .environmentVariable(let name)? = source(of: "token") else { return "NOVA_TOKEN" }
    return name
  }

  /// The options that chose the gateway and the configuration file; empty if variables or a file in the current
  /// directory did, which later commands read, too.
  var target: String { gatewayOption + transferOption + fileOption }

  private var gatewayOption: String {
    if let context { return isCurrent(context) ? "" : " --context \(context)" }
    if usesMockData { return " --mock" }
    if source(of: "base_url") == .code { return " --base-url \(baseURL.text.shellWord)" }
    return source(of: "environment") == .code ? " --environment \(environment)" : ""
  }

  /// Whether commands use the context without an option that names it.
  private func isCurrent(_ context: String) -> Bool {
    (try? ContextStore.ofUser().read()).flatMap { ContextChoice.name(typed: nil, in: $0) }?.name == context
  }

  /// The option for the gateway of uploads, where calls go over gRPC; with a placeholder if no gateway is set.
  private var transferOption: String {
    guard baseURL.origin.usesGRPC, source(of: "base_url") == .code else { return "" }
    guard let url = grpc.gatewayURL else { return " --gateway-url <url>" }
    return source(of: "grpc.gateway_url") == .code ? " --gateway-url \(url.text.shellWord)" : ""
  }

  /// The option for a file that `--config` named; empty if `NOVA_CONFIG` or the context names it.
  private var fileOption: String {
    let paths = entries.lazy.compactMap { entry in if case .file(let path) = entry.source { path } else { nil } }
    guard foundFile == nil, let path = paths.first, path != System.variable(ConfigurationVariable.config),
      context == nil || path != fileOfContext
    else { return "" }
    return " --config \(path.shellWord)"
  }

  private var fileOfContext: String? {
    let contexts = try? ContextStore.ofUser().read()
    return contexts?.all.first { $0.name == context }?.configurationFile
  }

  /// What chooses another gateway of uploads instead of this one: the options of a command, and the variables before it.
  func choice(ofUploadsAt gateway: String) -> (variables: String, options: String) {
    if services["media"]?.baseURL != nil {
      // It takes precedence over --base-url, and only without options for the gateway is the variable read.
      let all = gatewayOption.isEmpty || usesMockData ? "" : "NOVA_BASE_URL=\(baseURL.text.shellWord) "
      return ("\(all)NOVA_MEDIA_BASE_URL=\(gateway.shellWord) ", fileOption)
    }
    let contexts = (try? ContextStore.ofUser().read()) ?? SavedContexts()
    let setting = ConfigurationContext.Setting("base_url", .string(gateway))
    let candidates = contexts.all.filter { $0.settings.contains(setting) }
    // Of several contexts with the URL, the one in use has the session.
    let used = context ?? ContextChoice.name(typed: nil, in: contexts)?.name
    if let context = candidates.first(where: { $0.name == used }) ?? candidates.first {
      return ("", context.name == used && isCurrent(context.name) ? "" : " --context \(context.name)")
    }
    return ("", " --base-url \(gateway.shellWord)\(fileOption)")
  }

  private func source(of key: String) -> ConfigurationSource? { entries.first { $0.key == key }?.source }
}
