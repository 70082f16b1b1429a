import NovaCache
import NovaCore
import NovaFleet
import NovaMedia
import NovaRedis
import NovaTestSupport

/// A cache of HTTP responses in one process, with its own connections.
struct ResponseMachine: Sendable {
  /// A clock whose time of day a test can set forward, while waits take as long as they say.
  final class Clock: CallClock {
    private let ahead = Locked(0.0)

    var now: ContinuousClock.Instant { .now }
    var minimumResolution: Duration { .nanoseconds(1) }
    var unixTime: Double { ContinuousClock().unixTime + ahead.withLock { $0 } }

    func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
      try await ContinuousClock().sleep(until: deadline, tolerance: tolerance)
    }

    func advance(by seconds: Double) { ahead.withLock { $0 += seconds } }
  }

  let cache: HTTPCache
  let shared: FleetResponses
  let gateway: CountedGateway

  init(
    _ server: RedisServer, _ gateway: CountedGateway, clock: Clock = Clock(), messages: Bool = false,
    random: @escaping @Sendable () -> Double = ResponseMachine.seldom,
    change: (inout FleetResponses.Options) -> Void = { _ in }
  ) throws {
    var options = FleetResponses.Options()
    options.maximumDelay = .seconds(20)
    // So long that a test that waits for it fails.
    options.loadTime = .seconds(600)
    change(&options)
    let redis = try RedisPool.patient(server.url)
    shared = FleetResponses(
      redis, messages: messages ? redis : nil, keys: try FleetResponsesTests.keys.get(), options: options, clock: clock)
    (cache, self.gateway) = (HTTPCache(shared: shared, clock: clock, random: random), gateway)
  }

  /// Draws with which nothing is refreshed early.
  static let seldom: @Sendable () -> Double = { 0.999_999 }

  static let url = "http://localhost/a?signature=secret"

  static let context = CallContext(rpc: MediaRPC.getUpload.descriptor, requestID: "test")

  static func request(
    _ headers: HTTPHeaders = [:], token: String = "t-ada", method: HTTPMethod = .get
  ) throws -> HTTPRequest {
    var request = HTTPRequest(method: method, url: try HTTPURL(parsing: url), headers: headers)
    request.headers["Authorization"] = "Bearer \(token)"
    return request
  }

  /// The number of the answer, or its status if it is not a success.
  func get(_ headers: HTTPHeaders = [:], token: String = "t-ada", method: HTTPMethod = .get) async throws -> String {
    let request = try Self.request(headers, token: token, method: method)
    let response = try await CacheMiddleware(cache).intercept(request, Self.context) { try await gateway.send($0) }
    guard response.isSuccess else { return "\(response.status)" }
    let body = try await response.body.collect(upTo: 1 << 20)
    return String(decoding: body, as: UTF8.self).filter(\.isNumber)
  }
}
