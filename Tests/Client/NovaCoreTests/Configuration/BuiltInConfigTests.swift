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
    #expect(try JSONValue(jsonUTF8: Array(BuiltInConfig.json.utf8)) == file)
  }

  @Test func everyKeyOfTheSchemaStandsInIt() throws {
    let file = try JSONValue(jsonUTF8: Array(BuiltInConfig.json.utf8))
    guard case .object(let members) = file, case .object(let schema) = ConfigurationSchema.file else {
      Issue.record("not an object")
      return
    }
    #expect(members.map(\.name).sorted() == schema.map(\.name).sorted())
  }

  @Test func everyVariableIsDocumented() throws {
    let page = String(decoding: try Self.projectFile("docs/configuration.md"), as: UTF8.self)
    for (name, path) in ConfigurationVariable.settings where !path.hasPrefix("services.") {
      #expect(page.contains("`\(name)`"))
    }
    for name in [ConfigurationVariable.config, ConfigurationVariable.token, ConfigurationVariable.tokenFile] {
      #expect(page.contains("`\(name)`"))
    }
    #expect(ContractServices.names.allSatisfy { page.contains("`\($0)`") })
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
