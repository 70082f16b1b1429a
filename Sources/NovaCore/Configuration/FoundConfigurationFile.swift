/// A configuration file that nobody named: it was in the current directory, where anybody may have put it.
package struct FoundConfigurationFile: Sendable, Hashable {
  /// The path under which it was read.
  package let path: String
  /// What was read, so that nothing else is approved in its place.
  package let bytes: [UInt8]
  /// The files with certificates and keys that it names, whose content decides as much.
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
  /// What a file that was found decides about who gets tokens, passwords and certificates, by the settings' keys in the
  /// order of ``entries``. Empty when it decides nothing of the kind.
  ///
  /// - Parameter origins: origins that somebody named in another way. Those of variables and code count by themselves.
  package func credentialSettings(ofFoundFileBeyond origins: Set<String> = []) -> [ConfigurationEntry] {
    guard let foundFile else { return [] }
    let source = ConfigurationSource.file(foundFile.path)
    let urls = entries.filter { $0.key == "base_url" || $0.key.hasSuffix(".base_url") }
    let named = urls.filter { $0.source.isUsersOwn }.compactMap { $0.value.map(CredentialSafety.origin) }
    let known = origins.union(named)
    // Who chooses the environment chooses its URL, whoever wrote that down.
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
  /// Whether the user, or the program, said so.
  fileprivate var isUsersOwn: Bool {
    switch self {
    case .environmentVariable, .code: true
    case .builtIn, .file: false
    }
  }
}
