package import Logging
package import NovaCore

/// Runs `body` with a client of a gRPC server, on the system's clock, and shuts it down.
///
/// - Parameters:
///   - attempts: the most attempts of one call; they follow each other without waits.
///   - change: changes the settings.
package func withGRPCClient<Result: Sendable>(
  _ url: String, attempts: Int = 1, token: String? = Canary.secret, logger: Logger? = nil,
  change: (inout ConfigurationOverrides) -> Void = { _ in },
  _ body: (APIClient) async throws -> Result
) async throws -> Result {
  var overrides = ConfigurationOverrides(baseURL: url)
  overrides.retryDelay = .zero
  change(&overrides)
  let transport = try APIConfiguration(overrides).makeTransport()
  let retry = RetryPolicy.standard(attempts: attempts, delay: .zero)
  let client = try APIClient.test(
    transport, overrides: overrides, ownsTransport: true, token: token,
    resilience: Resilience(retry: retry, budget: nil, breaker: nil), logger: logger, clock: ContinuousClock())
  let result: Result
  do { result = try await body(client) } catch {
    await client.shutdown(grace: .zero)
    throw error
  }
  await client.shutdown(grace: .zero)
  return result
}
