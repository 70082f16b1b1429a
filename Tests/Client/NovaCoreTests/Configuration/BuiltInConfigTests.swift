import FoundationEssentials
import Logging
import NovaTestSupport
import Testing

@testable import NovaCore

@Suite struct BuiltInConfigTests {
  private static func projectFile(_ name: String) throws -> [UInt8] {
    Array(try Checkout.text(of: name).utf8)
  }

  @Test func isTheFileAtTheTopOfTheProject() throws {
    let file = try JSONValue(jsonUTF8: try Self.projectFile("APIConfig.json"))
    let isCurrent = try JSONValue(jsonUTF8: Array(BuiltInConfig.json.utf8)) == file
    #expect(isCurrent, "APIConfig.json has changed: run make generate")
  }

  @Test func hasEveryKey() throws {
    let file = try JSONValue(jsonUTF8: Array(BuiltInConfig.json.utf8))
    let difference = ListDifference(
      of: Self.keys(of: file, at: "").filter(Self.hasOneKey),
      from: SettingDefinition.all.filter(\.isInFiles).map(\.path).filter(Self.hasOneKey))
    #expect(difference.isEmpty, "\(difference): change APIConfig.json, and run make generate")
  }

  /// Whether a setting has one key, rather than one for each service or environment.
  private static func hasOneKey(_ path: String) -> Bool {
    !path.hasPrefix("services.") && !path.hasPrefix("environments.")
  }

  /// The paths of the values in an object.
  private static func keys(of json: JSONValue, at path: String) -> [String] {
    guard case .object(let members) = json else { return [path] }
    return members.flatMap { keys(of: $0.value, at: path.isEmpty ? $0.name : "\(path).\($0.name)") }
  }

  @Test func everySettingIsDocumented() throws {
    let page = String(decoding: try Self.projectFile("docs/configuration.md"), as: UTF8.self)
    let settings = SettingDefinition.all.filter { Self.hasOneKey($0.path) }
    // The row of the two default environments has both.
    let keys = settings.filter(\.isInFiles).map(\.path).filter { $0 != "default_environment.release" }
    let others = [ConfigurationVariable.config, ConfigurationVariable.token, ConfigurationVariable.tokenFile]
    for name in keys + settings.compactMap(\.variable) + others + ContractServices.names {
      // Without the page in the message.
      let isDocumented = page.contains("`\(name)`")
      #expect(isDocumented, "docs/configuration.md has no `\(name)`: add a row to the table of keys and variables")
    }
  }

  @Test func hasTheLimitsThatRequestsHaveByThemselves() throws {
    #expect(try load().limits == TransferLimits())
    #expect(try load().connections == ConnectionLimits())
    #expect(try load().curlOptions == CurlTransport.Options())
  }

  @Test(arguments: [
    (APIEnvironment.development, "http://localhost:8080", Duration.seconds(60)),
    (.staging, "https://staging-api.nova.social", .seconds(30)),
    (.production, "https://api.nova.social", .seconds(30)),
  ])
  func knowsTheEnvironments(environment: APIEnvironment, url: String, timeout: Duration) throws {
    let configuration = try APIConfiguration(ConfigurationOverrides(environment: environment))
    #expect(configuration.environment == environment)
    #expect(configuration.baseURL.text == url)
    #expect(configuration.timeout == timeout)
  }

  @Test func hasTheDefaultsOfTheContract() throws {
    let configuration = try load()
    #if DEBUG
      #expect(configuration.environment == .development)
      #expect(configuration.logsRequests)
    #else
      #expect(configuration.environment == .production)
      #expect(!configuration.logsRequests)
    #endif
    #expect(!configuration.usesMockData)
    #expect(!configuration.isOffline)
    #expect(configuration.retryAttempts == 3)
    #expect(configuration.retryDelay == .seconds(2))
    #expect(configuration.logLevel == nil)
    #expect(configuration.token == nil)
    #expect(configuration.caFile == nil)
    #expect(configuration.clientCertificateFile == nil)
    #expect(configuration.clientKeyFile == nil)
    #expect(configuration.stateDirectory == nil)
    #expect(configuration.services.isEmpty)
    #expect(configuration.warnings.isEmpty)
    #expect(configuration.entries.allSatisfy { $0.source == .builtIn })
  }
}
