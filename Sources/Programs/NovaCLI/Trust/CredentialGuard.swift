import NovaSDK

/// Keeps tokens, sessions, passwords and client certificates from being sent where a configuration file found in the
/// current directory specifies, until the user approves that file or names the gateway explicitly.
struct CredentialGuard {
  let configuration: APIConfiguration

  init(_ configuration: APIConfiguration) { self.configuration = configuration }

  /// Returns if everything may be sent. If an approved file decides where, reports that first.
  ///
  /// - Parameter request: the command's request, if it can contain a password or a token.
  /// - Throws: ``Failure`` before anything is sent.
  func check(sending request: (any ProtoMessage)? = nil) async throws {
    guard let file = configuration.foundFile, !configuration.usesMockData, !configuration.isOffline,
      let credential = credential(in: request)
    else { return }
    let settings = configuration.credentialSettings(ofFoundFileBeyond: await signedInOrigins())
    guard !settings.isEmpty else { return }
    switch try ApprovedFiles.ofUser().state(of: ApprovedFiles.Approval(file)) {
    case .approved: Diagnostics.note("\(file.path), which you approved, decides: \(Self.list(settings))")
    case .changed: throw refusal(of: credential, because: "it has changed since you approved it", settings)
    case .unknown: throw refusal(of: credential, because: "you have not approved it", settings)
    }
  }

  /// The credential that would be sent; nil without one.
  private func credential(in request: (any ProtoMessage)?) -> String? {
    let secrets = request.map(Self.secrets) ?? []
    if !secrets.isEmpty { return "your \(secrets.joined(separator: " and "))" }
    if configuration.token != nil {
      let source = configuration.entries.first { $0.key == "token" }?.source
      return "the token\(source.map { " of \($0)" } ?? "")"
    }
    if SessionFile.exists(configuration) { return "your session" }
    return configuration.clientCertificateFile == nil ? nil : "the client certificate"
  }

  /// The secret fields of a request that have a value, such as `refresh token`.
  private static func secrets(in request: any ProtoMessage) -> [String] {
    guard request is any SecretHolding, let bytes = try? request.jsonUTF8(.request),
      let json = try? JSONValue(jsonUTF8: bytes)
    else { return [] }
    return type(of: request).descriptor.fields.filter { $0.isSecret && json[$0.name] != nil }.map {
      $0.name.split(separator: "_").joined(separator: " ")
    }
  }

  /// The origin in the session file. The name of the file is not enough: it is not unique.
  private func signedInOrigins() async -> Set<String> {
    guard SessionFile.exists(configuration), let session = try? await SessionFile.store(configuration).load() else {
      return []
    }
    return [session.origin]
  }

  private func refusal(of credential: String, because reason: String, _ settings: [ConfigurationEntry]) -> Failure {
    let file = configuration.foundFile?.path ?? ""
    let isURLAlone = settings.map(\.key) == ["base_url"]
    return Failure(
      "\(credential) was not sent: \(file) in this directory decides who gets it (\(Self.list(settings))), and \(reason)",
      hint: """
        Look at the file, then approve it with `nova config trust`. \
        \(isURLAlone ? "Or name the gateway yourself, with --base-url, NOVA_BASE_URL or a context." : "Or name a file with --config.")
        """, .notAllowed)
  }

  /// `base_url http://localhost:9000, ca_file ca.pem`
  static func list(_ settings: [ConfigurationEntry]) -> String {
    settings.map { "\($0.key) \($0.value ?? "")" }.joined(separator: ", ")
  }
}
