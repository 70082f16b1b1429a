import Foundation
import NovaCore
import NovaEvents

/// Many users on one client, each with a token of their own, and some of them with a subscription to what happens to them.
/// The gateway is in the process, so what is measured is the SDK without sockets.
enum Users {
  /// How many events each subscriber gets in the last part.
  private static let eventsEach = 100

  static func measure(users: Int, subscribers: Int) async throws {
    let gateway = UserGateway()
    let client = APIClient(configuration: .builtIn, transport: gateway)
    let warmUp = EventService(client: client).subscribe(topics: ["post:1"])
    try await warmUp.begin()
    warmUp.cancel()
    try await Task.sleep(for: .milliseconds(200))

    let empty = OwnProcess.residentKilobytes
    let services = try (0..<users).map { number in
      let token = try AccessToken("token-of-user-\(number)-\(UUID().uuidString)", user: "user-\(number)")
      return EventService(client: client, options: CallOptions(token: token))
    }
    let idle = OwnProcess.residentKilobytes
    let (start, cpu) = (monotonicTime(), processorTime())
    let readers = services.prefix(subscribers).map { service in
      let subscription = service.subscribe(topics: [.me])
      return Task { try await subscription.reduce(into: 0) { count, _ in count += 1 } }
    }
    while gateway.openStreams < subscribers { try await Task.sleep(for: .milliseconds(5)) }
    let connected = monotonicTime() - start
    try await Task.sleep(for: .seconds(1))
    var figures = [
      "users": Double(users), "connect_s": Double(connected) / 1e9,
      "connect_us": Double(processorTime() - cpu) / Double(subscribers),
      "idle_user_bytes": Double(idle - empty) * 1024 / Double(users),
      "subscription_kb": Double(OwnProcess.residentKilobytes - idle) / Double(subscribers),
      "requests": Double(gateway.requestCount), "threads": Double(OwnProcess.threads),
      "files": Double(try OwnProcess.openFiles),
    ]
    let calm = processorTime()
    try await Task.sleep(for: .seconds(10))
    figures["calm_cpu_percent"] = Double(processorTime() - calm) / 1e5
    for number in 0..<Self.eventsEach {
      gateway.emit(number)
      try await Task.sleep(for: .milliseconds(50))
    }
    figures["busy_subscription_kb"] = Double(OwnProcess.residentKilobytes - idle) / Double(subscribers)
    await client.shutdown()
    var received = 0
    for reader in readers { received += (try? await reader.value) ?? 0 }
    figures["received"] = Double(received) / Double(subscribers)
    printFigures("users", rate: subscribers, seconds: 10, figures)
  }
}

/// A gateway with nothing but events, whose streams stay open.
private final class UserGateway: HTTPTransport, @unchecked Sendable {
  private let lock = NSLock()
  private var streams: [AsyncStream<[UInt8]>.Continuation] = []
  private var requests = 0

  var openStreams: Int { lock.withLock { streams.count } }
  var requestCount: Int { lock.withLock { requests } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    lock.withLock { requests += 1 }
    guard request.url.path.hasSuffix("/stream") else {
      return HTTPResponse(
        status: 200, headers: ["Content-Type": "application/json"],
        body: Array(#"{"events":[],"next_after":"1:0","has_more":false,"is_complete":true}"#.utf8))
    }
    let (chunks, continuation) = AsyncStream.makeStream(of: [UInt8].self)
    continuation.yield(Array(": hello\n\n".utf8))
    lock.withLock { streams.append(continuation) }
    return HTTPResponse(
      status: 200, headers: ["Content-Type": "text/event-stream"], body: .stream(HTTPBodyStream(chunks)))
  }

  /// An event of each user.
  func emit(_ number: Int) {
    let event = #"{"id":"1:\#(number + 1)","type":"bookmark.created","actor_id":"ada","post_id":"post-\#(number)"}"#
    let frame = Array("id: 1:\(number + 1)\nevent: bookmark.created\ndata: \(event)\n\n".utf8)
    for stream in lock.withLock({ streams }) { stream.yield(frame) }
  }
}
