import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCLI

/// The options with which a later command finds the same gateway and the same uploads.
@Suite struct UploadTargetTests {
  private static let gateway = "http://[::1]:8080"

  private func configuration(
    _ file: ConfigurationFile = .none, baseURL: String? = gateway, variables: [String: String] = [:]
  ) throws -> APIConfiguration {
    try APIConfiguration.load(
      file: file, environment: variables, overrides: ConfigurationOverrides(baseURL: baseURL))
  }

  @Test func theOptionsAreRepeated() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"{"retry":{"attempts":3}}"#, to: "my config.json")
    #expect(try configuration().target == " --base-url 'http://[::1]:8080'")
    #expect(try configuration(.path(path)).target == " --base-url 'http://[::1]:8080' --config '\(path)'")
    #expect(try configuration(.path(path), baseURL: nil).target == " --config '\(path)'")
    let other = try folder.write(#"{"retry":{"attempts":3}}"#, to: "APIConfig.json")
    #expect(try configuration(.standard(in: folder.path), baseURL: nil).target.isEmpty, "\(other) is found again")
  }

  @Test func anotherGatewayIsChosen() throws {
    let choice = try configuration(baseURL: "http://127.0.0.1:1").choice(ofUploadsAt: Self.gateway)
    #expect(choice == ("", " --base-url 'http://[::1]:8080'"))
  }

  /// The URL of the service takes precedence over `--base-url`.
  @Test func theURLOfTheServiceIsReplaced() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(#"{"services":{"media":{"base_url":"http://127.0.0.1:2"}}}"#, to: "nova.json")
    let chosen = try configuration(.path(path), baseURL: "http://127.0.0.1:1").choice(ofUploadsAt: Self.gateway)
    #expect(
      chosen == (
        "NOVA_BASE_URL=http://127.0.0.1:1 NOVA_MEDIA_BASE_URL='http://[::1]:8080' ", " --config \(path.shellWord)"
      ))
    // What the command then has.
    let variables = ["NOVA_BASE_URL": "http://127.0.0.1:1", "NOVA_MEDIA_BASE_URL": Self.gateway]
    #expect(try configuration(.path(path), baseURL: nil, variables: variables).gatewayOfUploads == Self.gateway)
    let alone = try configuration(.path(path), baseURL: nil).choice(ofUploadsAt: "http://127.0.0.1:3")
    #expect(alone == ("NOVA_MEDIA_BASE_URL=http://127.0.0.1:3 ", " --config \(path.shellWord)"))
  }
}
