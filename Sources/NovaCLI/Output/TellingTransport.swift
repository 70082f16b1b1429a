import NovaCore

/// Tells on standard error what is sent and what comes back, a line for each request: `nova contract check --verbose`,
/// which sends requests that no call of the SDK would.
struct TellingTransport: HTTPTransport {
  let base: any HTTPTransport

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let start = ContinuousClock.now
    do {
      let response = try await base.send(request)
      tell(request, "\(response.status), \(response.body.count) bytes", start)
      return response
    } catch {
      tell(request, (error as? TransportError)?.message ?? "\(error)", start)
      throw error
    }
  }

  func shutdown() async { await base.shutdown() }

  /// Queries and bodies may hold what nobody else should read.
  private func tell(_ request: HTTPRequest, _ result: String, _ start: ContinuousClock.Instant) {
    let url = request.url.prefix { $0 != "?" }
    let line = "\(request.method.rawValue) \(url): \(result), \((ContinuousClock.now - start).milliseconds) ms"
    Diagnostics.note(SecretRedactor(request).masked(line))
  }
}
