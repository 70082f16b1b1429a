/// A configuration file that was found in the current directory rather than named. Its author may not be the user.
package struct FoundConfigurationFile: Sendable {
  /// The path under which it was read.
  package let path: String
  /// The content that was read, so that exactly this content is approved.
  package let bytes: [UInt8]
  /// The certificate and key files that it names, whose content matters as much.
  package let certificateFiles: [String]
  /// The settings with which it can decide, in some environment, who receives tokens and files: those that differ from the
  /// built-in ones.
  package let decisions: [ConfigurationEntry]
  /// The configuration without it; nil if that would be invalid. Resolved when it is asked for, because most programs never
  /// do.
  private let otherwise: @Sendable () -> APIConfiguration?

  /// - Parameters:
  ///   - settings: the settings with the file's.
  ///   - otherwise: returns the configuration without the file; nil if it would be invalid.
  init(
    path: String, bytes: [UInt8], settings: Settings, otherwise: @escaping @Sendable () -> APIConfiguration?
  ) {
    self.otherwise = otherwise
    let builtIn = try? Settings.builtIn()
    var decisions: [ConfigurationEntry] = []
    for setting in settings.all
    where setting.source == .file(path) && setting.value.text != builtIn?[setting.path]?.value.text {
      let entry = ConfigurationEntry(key: setting.path, value: setting.value.text, source: setting.source)
      if entry.isBaseURL || entry.key == "environment" || Self.others.contains(entry.key) { decisions.append(entry) }
    }
    self.decisions = decisions
    self.path = path
    self.bytes = bytes
    var files: [String] = []
    for key in Self.certificates {
      if let setting = settings[key], setting.source == .file(path) { files.append(setting.value.text) }
    }
    certificateFiles = files
  }

  /// What the base URLs would be without it, by key.
  fileprivate var otherURLs: [String: String] {
    var urls: [String: String] = [:]
    for entry in otherwise()?.entries ?? [] where entry.isBaseURL { urls[entry.key] = entry.value }
    return urls
  }

  @inline(never)
  fileprivate func sets(_ entry: ConfigurationEntry) -> Bool { entry.source == .file(path) }

  fileprivate static let certificates = ["ca_file", "client_certificate_file", "client_key_file"]
  /// The settings besides URLs and the environment: where connections go, and the records of interrupted uploads, which name
  /// the files that are sent.
  fileprivate static let others =
    certificates + ["state_directory", "proxy", "no_proxy", "connect_to", "unix_socket"]
}

extension APIConfiguration {
  /// The settings of a found file that decide who receives tokens, passwords, certificates and files, in the order of
  /// ``entries``. Empty if the file has no such settings, or they are what they would be without it, as in a copy of the
  /// built-in file.
  ///
  /// - Parameter origins: origins that the user named in another way. Those of variables and code are included
  ///   automatically.
  package func credentialSettings(ofFoundFileBeyond origins: Set<String> = []) -> [ConfigurationEntry] {
    guard let foundFile else { return [] }
    var (known, choosesEnvironment) = ([String](), false)
    for entry in entries {
      if entry.isBaseURL, entry.source.isUsersOwn { known.append(entry.origin) }
      // The source that sets the environment also decides its URL, wherever that URL is defined.
      if entry.key == "environment", foundFile.sets(entry) { choosesEnvironment = true }
    }
    let otherURLs = foundFile.otherURLs
    return entries.filter { entry in
      let isOfFile = foundFile.sets(entry)
      if FoundConfigurationFile.others.contains(entry.key) { return isOfFile }
      guard entry.isBaseURL, isOfFile || choosesEnvironment && entry.source == .builtIn else { return false }
      let origin = entry.origin
      return !origins.contains(origin) && !known.contains(origin) && entry.value != otherURLs[entry.key]
    }
  }
}

extension ConfigurationEntry {
  @inline(never)
  fileprivate var isBaseURL: Bool { Settings.leadsElsewhere(key) }
  @inline(never)
  fileprivate var origin: String { CredentialSafety.origin(of: value ?? "") }
}

extension ConfigurationSource {
  /// Whether the user or the program set this value.
  fileprivate var isUsersOwn: Bool {
    switch self {
    case .named, .environmentVariable, .code: true
    case .builtIn, .file: false
    }
  }
}
