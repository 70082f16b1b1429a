import NovaCore
import NovaMock
import NovaTestSupport
import NovaTesting
import Testing

extension APIClient {
  /// A client as users have it, with one attempt per call.
  static func mouth(_ transport: any HTTPTransport, baseURL: String = "http://localhost:8080") throws -> APIClient {
    APIClient(
      configuration: try APIConfiguration(ConfigurationOverrides(baseURL: baseURL)), transport: transport,
      resilience: .none)
  }
}
