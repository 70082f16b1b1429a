import Configuration
import NovaSDK

/// The SDK's settings from swift-configuration's providers, in place of the SDK's own sources.
///
/// ```swift
/// let settings = NovaSettings([
///   EnvironmentVariablesProvider(), try await FileProvider<JSONSnapshot>(filePath: "app.json"),
/// ])
/// let nova = NovaClient(configuration: try settings.configuration())
/// ```
///
/// Only these providers are read: no `APIConfig.json`, and no `NOVA_…` variables except through a provider. Earlier providers
/// take precedence. The keys are `nova.environment` and so on, which environment variables spell `NOVA_ENVIRONMENT`.
public struct NovaSettings: Sendable {
  private let reader: ConfigReader
  private let log = AccessLog()
  private let providers: String

  /// Creates settings from providers, in order of precedence.
  public init(_ providers: [any ConfigProvider]) {
    self.providers = providers.map(\.providerName).joined(separator: ", ")
    reader = ConfigReader(providers: providers, accessReporter: log).scoped(to: "nova")
  }

  /// Reads all settings, and checks them by the SDK's rules.
  ///
  /// - Throws: ``SettingError`` with the key, the value, and its source. Secrets are never shown.
  public func configuration() throws -> APIConfiguration {
    var overrides = ConfigurationOverrides()
    overrides.environment = try text("environment").map { APIEnvironment(rawValue: $0) }
    overrides.baseURL = try text("baseUrl")
    overrides.caFile = try text("caFile")
    overrides.timeout = try number("timeout").map { .seconds($0) }
    overrides.retryAttempts = try value("retry.attempts", "a whole number") { reader.int(forKey: "retry.attempts") }
    overrides.retryDelay = try number("retry.delay").map { .seconds($0) }
    overrides.usesMockData = try value("mock", "true or false") { reader.bool(forKey: "mock") }
    do {
      overrides.token = try value("token", "a text") { reader.string(forKey: "token", isSecret: true) }.map {
        try AccessToken($0)
      }
      let configuration = try APIConfiguration(overrides)
      // Without a choice, a misspelled key would lead to production.
      try configuration.requireChosenGateway()
      return configuration
    } catch let error as ConfigurationError {
      throw described(error)
    }
  }

  /// The source of each setting that is set, such as `NOVA_TOKEN (EnvironmentVariablesProvider)`, by its key.
  public var sources: [String: String] { log.sources }

  private func text(_ key: String) throws -> String? {
    try value(key, "a text") { reader.string(forKey: ConfigKey(key)) }
  }

  private func number(_ key: String) throws -> Double? {
    try value(key, "seconds, as a number") { reader.double(forKey: ConfigKey(key)) }
  }

  /// Reads a value. swift-configuration returns nil for a value of another type, as if it were absent; here it is an error.
  private func value<Value>(_ key: String, _ expected: String, read: () -> Value?) throws -> Value? {
    let found = read()
    guard let provider = log.failure(of: "nova.\(key)") else { return found }
    // As a text, it has a name in the provider, and can be shown. The token is a text anyway.
    let shown = reader.string(forKey: ConfigKey(key)).map { "\"\($0)\"" }
    throw SettingError(
      key: "nova.\(key)", value: shown ?? "of another type", source: log.sources["nova.\(key)"] ?? provider,
      expected: expected)
  }

  /// The error by the names that the reader of the message has used.
  private func described(_ error: ConfigurationError) -> SettingError {
    let names = [
      "base_url": "baseUrl", "timeout_seconds": "timeout", "retry.delay_seconds": "retry.delay", "ca_file": "caFile",
    ]
    let key = "nova.\(names[error.key] ?? error.key)"
    if error.value == "missing" {
      return SettingError(
        key: key, value: error.value, source: providers, expected: "nova.environment, nova.baseUrl or nova.mock")
    }
    return SettingError(key: key, value: error.value, source: log.sources[key] ?? "built in", expected: error.expected)
  }
}

/// A setting that cannot be used.
public struct SettingError: Error, Equatable, CustomStringConvertible {
  /// The key, such as `nova.baseUrl`.
  public let key: String
  /// The value as text; `****` for a secret.
  public let value: String
  /// The name of the value in its provider, and the provider.
  public let source: String
  /// What would be right.
  public let expected: String

  public var description: String { "\(key) is \(value) (\(source)): expected \(expected)" }
}
