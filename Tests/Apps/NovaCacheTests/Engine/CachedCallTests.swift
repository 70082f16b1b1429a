import NovaCache
import NovaCore
import NovaMedia
import NovaTestSupport
import NovaTesting
import Testing

/// The middleware inside a client.
struct CachedCallTests {
  private final class Tokens: TokenProvider {
    let serverTimes = Locked<[Int64]>([])

    func accessToken() async throws -> AccessToken? { try AccessToken(Canary.secret) }
    func serverTime(_ unixSeconds: Int64) { serverTimes.withLock { $0.append(unixSeconds) } }
  }

  /// The date of a stored response is not used to decide when tokens expire.
  @Test func doesNotSetTheClock() async throws {
    let clock = ManualClock()
    let date = Int64(clock.unixTime)
    let server = RecordingTransport { _, _ in
      let headers: HTTPHeaders = ["Cache-Control": "max-age=3600", "Date": HTTPDate.text(date)]
      return HTTPResponse(status: 200, headers: headers, body: [1, 2, 3])
    }
    let tokens = Tokens()
    let client = try APIClient.test(
      server, tokens: tokens, middlewares: [CacheMiddleware(HTTPCache(clock: clock))], clock: clock)
    for _ in 0..<3 {
      let response = try await client.get("/media/1.png", for: MediaService.downloadBytes.descriptor)
      #expect(try await response.value.collect(upTo: 100) == [1, 2, 3])
      clock.advance(by: .seconds(600))
    }
    #expect(server.requests.count == 1)
    #expect(tokens.serverTimes.withLock { $0 } == [date])
  }
}
