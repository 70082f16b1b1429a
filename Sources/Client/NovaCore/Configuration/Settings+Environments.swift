extension Settings {
  /// The environments that exist: the contract's first, then others by name.
  var environmentNames: [String] {
    let known = ["development", "staging", "production"]
    var others: [String] = []
    for index in all.indices {
      let names = all[index].path.parts(between: ".", keepsEmpty: true)
      guard names.count > 1, names[0] == "environments" else { continue }
      if !known.contains(names[1]), !others.contains(names[1]) { others.append(names[1]) }
    }
    return known + others.inOrder()
  }

  /// The chosen environment, after checking every name of one and that each has a base URL.
  func environment() throws(ConfigurationError) -> (name: String, source: ConfigurationSource) {
    let names = environmentNames
    for path in ["environment", "default_environment.debug", "default_environment.release"] {
      guard let setting = self[path], !names.contains(setting.value.text) else { continue }
      throw setting.refused(expected: names.alternatives)
    }
    for name in names where self["environments.\(name).base_url"] == nil {
      throw ConfigurationError(
        key: "environments.\(name).base_url", value: "missing",
        source: self["environments.\(name).timeout_seconds"]?.source ?? .builtIn, expected: BaseURL.expectation)
    }
    let path = "default_environment.\(APIConfiguration.isDebugBuild ? "debug" : "release")"
    guard let setting = self["environment"] ?? self[path] else { throw Settings.missing(path, .environment) }
    return (setting.value.text, setting.source)
  }

  /// Whether a setting decides which server calls, uploads, or events go to.
  static func leadsElsewhere(_ path: String) -> Bool {
    path == "base_url" || path.hasSuffix(".base_url") || path == "grpc.gateway_url"
  }

  /// Refuses URLs that would carry the token unencrypted to another machine.
  func requireEncryption(_ general: [String]) throws(ConfigurationError) {
    var used: [String] = []
    for path in general where used.isEmpty && self[path] != nil { used.append(path) }
    for service in ContractServices.names { used.append("services.\(service).base_url") }
    used.append("grpc.gateway_url")
    for path in used {
      guard let setting = self[path], case .url(let url) = setting.value, !url.origin.protectsSecrets else { continue }
      throw setting.refused(expected: "https, because a token is set and only this machine may receive it unencrypted")
    }
  }

  @inline(never)
  static func missing(_ path: String, _ kind: SettingKind) -> ConfigurationError {
    ConfigurationError(key: path, value: "missing", source: .builtIn, expected: kind.expectation)
  }
}
