import NovaCore
import NovaSDK

/// Keeps tokens, sessions, passwords and client certificates from going where a configuration file says that was only
/// found in the current directory, until the user has approved that file or named the place in another way.
struct CredentialGuard {
  let configuration: APIConfiguration

  init(_ configuration: APIConfiguration) { self.configuration = configuration }

  /// Returns when everything may be sent, after saying where it goes if a file decides that.
  ///
  /// - Parameter opensSession: whether a password is going to be sent.
  /// - Throws: ``Failure`` before anything is sent.
  func check(opensSession: Bool) async throws {
    guard let file = configuration.foundFile, !configuration.usesMockData, !configuration.isOffline,
      let credential = credential(opensSession)
    else { return }
    let settings = configuration.credentialSettings(ofFoundFileBeyond: await signedInOrigins())
    guard !settings.isEmpty else { return }
    switch try ApprovedFiles.ofUser().state(of: ApprovedFiles.Approval(file)) {
    case .approved: Diagnostics.note("\(file.path), which you approved, decides: \(Self.list(settings))")
    case .changed: throw refusal(credential, settings, "it has changed since you approved it")
    case .unknown: throw refusal(credential, settings, "you have not approved it")
    }
  }

  /// What would be sent; nil for nothing that is anybody's secret.
  private func credential(_ opensSession: Bool) -> String? {
    if opensSession { return "your password or session" }
    if configuration.token != nil {
      let source = configuration.entries.first { $0.key == "token" }?.source
      return "the token\(source.map { " of \($0)" } ?? "")"
    }
    if SessionFile.exists(configuration) { return "your session" }
    return configuration.clientCertificateFile == nil ? nil : "the client certificate"
  }

  /// The gateway at which the user has signed in, if it is the one that is called. The session itself says for whom it
  /// is: the name of its file is shorter than that.
  private func signedInOrigins() async -> Set<String> {
    guard SessionFile.exists(configuration), let session = try? await SessionFile.store(configuration).load() else {
      return []
    }
    return [session.origin]
  }

  private func refusal(_ credential: String, _ settings: [ConfigurationEntry], _ reason: String) -> Failure {
    let file = configuration.foundFile?.path ?? ""
    let isURLAlone = settings.map(\.key) == ["base_url"]
    return Failure(
      "\(credential) was not sent: \(file) in this directory decides who gets it (\(Self.list(settings))), and \(reason)",
      hint: """
        Look at the file, then approve it with `nova config trust`. \
        \(isURLAlone ? "Or name the gateway yourself, with --base-url or NOVA_BASE_URL." : "Or name a file with --config.")
        """, .notAllowed)
  }

  /// `base_url http://localhost:9000, ca_file ca.pem`
  static func list(_ settings: [ConfigurationEntry]) -> String {
    settings.map { "\($0.key) \($0.value ?? "")" }.joined(separator: ", ")
  }
}
