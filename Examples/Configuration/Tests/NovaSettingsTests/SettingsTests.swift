import Configuration
import Foundation
import NovaSDK
import NovaSettings
import Testing

/// Values from three kinds of providers, and what is reported when one is wrong.
@Suite struct Settings {
  @Test func earlierProvidersTakePrecedence() async throws {
    let file = try await json(
      #"{"nova": {"baseUrl": "https://file.example", "timeout": 7.5, "retry": {"attempts": 5}}}"#)
    let settings = NovaSettings([
      variables(["NOVA_BASE_URL": "https://variable.example", "NOVA_TOKEN": "secret-1"]), file,
      InMemoryProvider(
        name: "defaults",
        values: [
          "nova.timeout": .init(.double(20), isSecret: false), "nova.retry.delay": .init(.double(0.5), isSecret: false),
        ]),
    ])
    let configuration = try settings.configuration()
    #expect(configuration.baseURL.text == "https://variable.example")
    #expect(configuration.timeout == .seconds(7.5))
    #expect(configuration.retryAttempts == 5)
    #expect(configuration.retryDelay == .seconds(0.5))
    #expect(configuration.token?.secretValue == "secret-1")
    #expect(
      settings.sources == [
        "nova.baseUrl": "NOVA_BASE_URL, EnvironmentVariablesProvider",
        "nova.token": "NOVA_TOKEN, EnvironmentVariablesProvider",
        "nova.timeout": "FileProvider<JSONSnapshot>", "nova.retry.attempts": "FileProvider<JSONSnapshot>",
        "nova.retry.delay": "InMemoryProvider[defaults]",
      ])
    #expect(!"\(configuration.entries)".contains("secret-1"))
  }

  @Test(arguments: [
    (
      ["NOVA_RETRY_ATTEMPTS": "many", "NOVA_MOCK": "1"],
      #"nova.retry.attempts is "many" (NOVA_RETRY_ATTEMPTS, EnvironmentVariablesProvider): expected a whole number"#
    ),
    (
      ["NOVA_BASE_URL": "ftp://files.example"],
      #"nova.baseUrl is "ftp://files.example" (NOVA_BASE_URL, EnvironmentVariablesProvider): expected "#
    ),
    (
      ["NOVA_ENVIRONMENT": "prod"],
      #"nova.environment is "prod" (NOVA_ENVIRONMENT, EnvironmentVariablesProvider): expected development, staging or"#
    ),
    (
      ["NOVA_TIMEOUT": "900", "NOVA_MOCK": "1"],
      "nova.timeout is number 900 (NOVA_TIMEOUT, EnvironmentVariablesProvider): expected seconds from"
    ),
    (
      ["NOVA_TOKEN": "sec\nret", "NOVA_MOCK": "1"],
      "nova.token is **** (NOVA_TOKEN, EnvironmentVariablesProvider): expected"
    ),
    ([:], "nova.environment is missing (EnvironmentVariablesProvider): expected nova.environment, nova.baseUrl or"),
  ])
  func errorsNameTheValueAndItsSource(_ environment: [String: String], _ message: String) {
    let error = #expect(throws: SettingError.self) { try NovaSettings([variables(environment)]).configuration() }
    #expect("\(error!)".hasPrefix(message), "\(error!)")
    #expect(!"\(error!)".contains("ret)"))
  }

  @Test func aWrongTypeInAFileIsAnError() async throws {
    let settings = NovaSettings([try await json(#"{"nova": {"mock": true, "timeout": "soon"}}"#)])
    let error = #expect(throws: SettingError.self) { try settings.configuration() }
    #expect(
      error?.description == #"nova.timeout is "soon" (FileProvider<JSONSnapshot>): expected seconds, as a number"#)
    let number = NovaSettings([try await json(#"{"nova": {"mock": true, "baseUrl": 5}}"#)])
    #expect(throws: SettingError.self) { try number.configuration() }
  }

  @Test func theClientUsesThem() async throws {
    let configuration = try NovaSettings([variables(["NOVA_MOCK": "true"])]).configuration()
    let nova = NovaClient(configuration: configuration)
    #expect(try await nova.graph.getFollowers(userId: "mock-user-id", limit: 1).totalCount == 3_021)
  }

  private func variables(_ values: [String: String]) -> EnvironmentVariablesProvider {
    EnvironmentVariablesProvider(environmentVariables: values, secretsSpecifier: .specific(["NOVA_TOKEN"]))
  }

  private func json(_ text: String) async throws -> FileProvider<JSONSnapshot> {
    let file = FileManager.default.temporaryDirectory.appending(path: "nova-\(UUID()).json")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    return try await FileProvider<JSONSnapshot>(filePath: .init(file.path))
  }
}
