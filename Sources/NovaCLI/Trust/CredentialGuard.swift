import NovaCore
import NovaSDK

/// Keeps tokens, sessions, passwords and client certificates from being sent where a configuration file found in the
/// current directory specifies, until the user approves that file or names the gateway explicitly.
struct CredentialGuard {
  let configuration: APIConfiguration

  init(_ configuration: APIConfiguration) { self.configuration = configuration }

  /// Returns if everything may be sent. If an approved file decides where, it reports that first.
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

  /// The credential that would be sent; nil if there is none.
  private func credential(_ opensSession: Bool) -> String? {
    if opensSession { return "your password or session" }
    if configuration.token != nil {
      let source = configuration.entries.first { $0.key == "token" }?.source
      return "the token\(source.map { " of \($0)" } ?? "")"
    }
    if SessionFile.exists(configuration) { return "your session" }
    return configuration.clientCertificateFile == nil ? nil : "the client certificate"
  }

  /// The gateway at which the user has signed in, if it is the one that is called. It is read from the session itself,
  /// because the name of the session file is an abbreviation.
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
