/// A configuration file that was found in the current directory rather than named. Its author may not be the user.
package struct FoundConfigurationFile: Sendable, Hashable {
  /// The path under which it was read.
  package let path: String
  /// The content that was read, so that exactly this content is approved.
  package let bytes: [UInt8]
  /// The certificate and key files that it names, whose content matters as much.
  package let certificateFiles: [String]

  init(path: String, bytes: [UInt8], settings: Settings) {
    self.path = path
    self.bytes = bytes
    certificateFiles = Self.certificates.compactMap { key in
      settings[key].flatMap { $0.source == .file(path) ? $0.value.text : nil }
    }
  }

  fileprivate static let certificates = ["ca_file", "client_certificate_file", "client_key_file"]
}

extension APIConfiguration {
  /// The settings of a found file that decide who receives tokens, passwords and certificates, in the order of
  /// ``entries``. Empty if the file has no such settings.
  ///
  /// - Parameter origins: origins that the user named in another way. Those of variables and code are included
  ///   automatically.
  package func credentialSettings(ofFoundFileBeyond origins: Set<String> = []) -> [ConfigurationEntry] {
    guard let foundFile else { return [] }
    let source = ConfigurationSource.file(foundFile.path)
    let urls = entries.filter { $0.key == "base_url" || $0.key.hasSuffix(".base_url") }
    let named = urls.filter { $0.source.isUsersOwn }.compactMap { $0.value.map(CredentialSafety.origin) }
    let known = origins.union(named)
    // The source that sets the environment also decides its URL, wherever that URL is defined.
    let choosesEnvironment = entries.contains { $0.key == "environment" && $0.source == source }
    let deciding = urls.filter { entry in
      let isChosen = entry.source == source || choosesEnvironment && entry.source == .builtIn
      return isChosen && !known.contains(CredentialSafety.origin(of: entry.value ?? ""))
    }
    let certificates = entries.filter { FoundConfigurationFile.certificates.contains($0.key) && $0.source == source }
    return deciding + certificates
  }
}

extension ConfigurationSource {
  /// Whether the user or the program set this value.
  fileprivate var isUsersOwn: Bool {
    switch self {
    case .environmentVariable, .code: true
    case .builtIn, .file: false
    }
  }
}
