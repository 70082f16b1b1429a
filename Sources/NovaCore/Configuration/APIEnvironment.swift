/// Which deployment of NovaSocial is called.
///
/// Open: a configuration file may define more under `environments`.
public struct APIEnvironment: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The name as it stands in `APIConfig.json`, such as `staging`.
  public let rawValue: String

  /// Creates an environment from its name. Whether it exists shows when a configuration is loaded.
  public init(rawValue: String) { self.rawValue = rawValue }

  public var description: String { rawValue }

  /// A gateway on this machine: `http://localhost:8080`, 60 s. The default of debug builds.
  public static let development = APIEnvironment(rawValue: "development")
  /// `https://staging-api.nova.social`, 30 s.
  public static let staging = APIEnvironment(rawValue: "staging")
  /// `https://api.nova.social`, 30 s. The default of release builds.
  public static let production = APIEnvironment(rawValue: "production")
}
