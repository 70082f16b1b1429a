import NovaCore
import NovaSDK

/// The commands that open and end the session of a configuration, for hints. Each gateway and each context has its own
/// session, so they repeat what chose the gateway.
extension APIConfiguration {
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

  /// The option that chose the gateway; empty if a variable or a file did, which later commands read, too.
  var target: String {
    if let context { return " --context \(context)" }
    if usesMockData { return " --mock" }
    if source(of: "base_url") == .code { return " --base-url \(baseURL.text)" }
    return source(of: "environment") == .code ? " --environment \(environment)" : ""
  }

  private func source(of key: String) -> ConfigurationSource? { entries.first { $0.key == key }?.source }
}
