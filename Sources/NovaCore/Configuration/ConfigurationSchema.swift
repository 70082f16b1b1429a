/// What a configuration file may hold.
indirect enum ConfigurationSchema: Sendable {
  case value(SettingKind)
  case object([(name: String, schema: ConfigurationSchema)])
  /// An object whose names are free, such as that of the environments.
  case named(String, ConfigurationSchema)

  /// The services by the short names of the contract.
  static let services = [
    "graph", "social", "content", "media", "user", "auth", "feed", "capture", "analytics", "event",
    "announcements",
  ]

  /// `APIConfig.json` from its top.
  static let file = ConfigurationSchema.object([
    ("environment", .value(.environment)),
    ("default_environment", .object([("debug", .value(.environment)), ("release", .value(.environment))])),
    ("environments", .named("<name>", endpoint)),
    ("services", .object(services.map { ($0, service) })),
    (
      "limits",
      .object([
        ("connect_timeout_seconds", .value(.timeout)),
        ("idle_timeout_seconds", .value(.timeout)),
        ("transfer_timeout_seconds", .value(.timeout)),
        ("max_response_bytes", .value(.integer(1...1_073_741_824))),
        ("max_transfers", .value(.integer(1...10_000))),
        ("max_streams", .value(.integer(1...100_000))),
        ("queue_timeout_seconds", .value(.timeout)),
        ("max_connections", .value(.integer(1...100_000))),
        ("max_connections_per_host", .value(.integer(1...100_000))),
        ("max_kept_connections", .value(.integer(1...10_000))),
      ])
    ),
    (
      "flags",
      .object([
        ("mock_data", .value(.flag)),
        ("request_logging", .value(.flag)),
        ("offline_mode", .value(.flag)),
      ])
    ),
    (
      "retry",
      .object([
        ("attempts", .value(.integer(1...10))),
        ("delay_seconds", .value(.seconds(.zero ... .seconds(60)))),
        ("max_wait_seconds", .value(.seconds(.seconds(1) ... .seconds(86_400)))),
        ("idempotency_keys", .value(.flag)),
      ])
    ),
    ("proxy", .value(.proxy)),
    ("no_proxy", .value(.proxyExceptions)),
    ("connect_to", .value(.connectTo)),
    ("unix_socket", .value(.unixSocket)),
    ("log_level", .value(.logLevel)),
    ("log_body_bytes", .value(.integer(0...65_536))),
    ("ca_file", .value(.path)),
    ("client_certificate_file", .value(.path)),
    ("client_key_file", .value(.path)),
    ("state_directory", .value(.path)),
  ])

  /// The settings that variables and code have but a file does not.
  private static let outsideFiles: [(path: String, kind: SettingKind)] = [
    ("base_url", .url), ("timeout_seconds", .timeout), ("token", .token),
  ]

  private static let endpoint = ConfigurationSchema.object([
    ("base_url", .value(.url)), ("timeout_seconds", .value(.timeout)),
  ])

  private static let service = ConfigurationSchema.object([
    ("base_url", .value(.url)), ("timeout_seconds", .value(.timeout)), ("request_names", .value(.names)),
  ])

  /// The kind of the setting with this path, if there is one.
  static func kind(of path: String) -> SettingKind? {
    if let setting = outsideFiles.first(where: { $0.path == path }) { return setting.kind }
    var schema = file
    for name in path.parts(between: ".", keepsEmpty: false) {
      guard let next = schema.member(name) else { return nil }
      schema = next
    }
    if case .value(let kind) = schema { return kind }
    return nil
  }

  /// What may stand under this name.
  func member(_ name: String) -> ConfigurationSchema? {
    switch self {
    case .value: nil
    case .object(let members): members.first { $0.name == name }?.schema
    case .named(_, let schema): schema
    }
  }

  /// The name that was probably meant by `name`, or else all names.
  func expectation(insteadOf name: String, at path: String) -> String {
    guard case .object(let members) = self else { return "another name" }
    let names = members.map(\.name)
    if let close = Suggestion.closest(to: name, among: names) { return "\(path)\(close)" }
    let elsewhere = Self.file.paths(endingIn: name, under: "")
    return (elsewhere.isEmpty ? names.map { path + $0 } : elsewhere).alternatives
  }

  /// Where else in the file there are settings with this name; of services one stands for all.
  private func paths(endingIn name: String, under path: String) -> [String] {
    switch self {
    case .value: return []
    case .named(let placeholder, let schema): return schema.paths(endingIn: name, under: "\(path)\(placeholder).")
    case .object(let members):
      var paths: [String] = []
      for (member, schema) in members where path != "services." || member == Self.services[0] {
        if case .value = schema {
          if member == name { paths.append(path + name) }
        } else {
          paths += schema.paths(endingIn: name, under: "\(path)\(member).")
        }
      }
      return paths
    }
  }
}
