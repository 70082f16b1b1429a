/// One setting with its value and where that came from, as `nova config show` lists them.
public struct ConfigurationEntry: Sendable, Equatable {
  /// The key as a path, such as `limits.idle_timeout_seconds`.
  public let key: String
  /// The value as text, `****` for a secret, nil where nothing is set.
  public let value: String?
  /// Where the value came from.
  public let source: ConfigurationSource
}

/// Where a setting's value came from.
public enum ConfigurationSource: Sendable, Equatable {
  /// The `APIConfig.json` the library was built with.
  case builtIn
  /// A configuration file, by the path under which it was read.
  case file(String)
  /// A set of settings that the user keeps under a name, such as `context staging` of `nova`.
  case named(String)
  /// An environment variable, by its name.
  case environmentVariable(String)
  /// The program itself, through ``ConfigurationOverrides``.
  case code
}

extension ConfigurationSource: CustomStringConvertible {
  public var description: String {
    switch self {
    case .builtIn: "built in"
    case .file(let path): path.printable(to: 120)
    case .environmentVariable(let name), .named(let name): name
    case .code: "set in code"
    }
  }
}
