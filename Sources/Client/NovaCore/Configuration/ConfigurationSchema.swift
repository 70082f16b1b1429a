/// What a configuration file may contain: the settings of ``SettingDefinition``, as a tree of objects.
indirect enum ConfigurationSchema: Sendable {
  case value(SettingKind)
  case object([(name: String, schema: ConfigurationSchema)])
  /// An object whose names are free, such as that of the environments.
  case named(String, ConfigurationSchema)

  /// `APIConfig.json` from its top.
  static let file = ConfigurationSchema(
    SettingDefinition.all.filter(\.isInFiles).map { ($0.path.parts(between: ".", keepsEmpty: false)[...], $0.kind) })

  /// The settings that variables and code have but a file does not.
  private static let outsideFiles = SettingDefinition.all.filter { !$0.isInFiles }

  /// The objects around settings that begin with the same names.
  private init(_ settings: [(names: ArraySlice<String>, kind: SettingKind)]) {
    var members: [(name: String, settings: [(names: ArraySlice<String>, kind: SettingKind)])] = []
    for (names, kind) in settings {
      guard let name = names.first else {
        self = .value(kind)
        return
      }
      let rest = (names: names.dropFirst(), kind: kind)
      if let index = members.firstIndex(where: { $0.name == name }) {
        members[index].settings.append(rest)
      } else {
        members.append((name, [rest]))
      }
    }
    if let member = members.first, member.name == SettingDefinition.anyEnvironment {
      self = .named(member.name, ConfigurationSchema(member.settings))
    } else {
      self = .object(members.map { ($0.name, ConfigurationSchema($0.settings)) })
    }
  }

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

  /// What this name may contain.
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

  /// The other settings of the file with this name; of services, only the first one's.
  private func paths(endingIn name: String, under path: String) -> [String] {
    switch self {
    case .value: return []
    case .named(let placeholder, let schema): return schema.paths(endingIn: name, under: "\(path)\(placeholder).")
    case .object(let members):
      var paths: [String] = []
      for (member, schema) in members where path != "services." || member == ContractServices.names[0] {
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
