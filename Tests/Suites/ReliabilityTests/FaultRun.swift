import NovaCore
import NovaGraph
import NovaSocial
import NovaTestSupport
import NovaTesting
import Testing

/// One call against one fault, over real sockets and libcurl.
struct FaultRun {
  let call: FaultCall
  let duration: FaultDuration

  /// Long enough that only a fault that sends bytes for ever meets it.
  static let deadline = Duration.seconds(60)

  /// Gives a token that is refused, and then another.
  private final class Tokens: TokenProvider {
    func accessToken() async throws -> AccessToken? { try AccessToken(Canary.access(1)) }
    func replacement(for refused: AccessToken) async throws -> AccessToken? {
      try AccessToken(Canary.access(2))
    }
  }

  /// Makes the call, and afterwards sees that the server did nothing twice, that the token went nowhere else, and that
  /// the same connections serve other calls.
  func outcome(of fault: Fault) async throws -> FaultOutcome {
    let transport = CurlTransport()
    let server = try FaultServer(
      [.fault(fault)], then: duration == .once ? .healthy : .lastRepeats,
      recognizesIdempotencyKeys: call.recognizesKeys, handler: Self.answer)
    let report = try await report(
      server.url, transport, needsWarmUp: fault.needsWarmUp, isSlow: fault.name == Fault.slowBytes().name,
      isEndless: fault.isEndless,
      onRetry: {
        if duration == .once { try server.beginListening() }
      })
    if call == .write || call == .keyedWrite {
      #expect(server.duplicateExecutions.isEmpty, "done twice: \(server.duplicateExecutions)")
    }
    for request in server.otherOriginRequests { #expect(request.headers["Authorization"] == nil) }
    server.stop()
    try await expectHealth(of: transport)
    await transport.shutdown()
    return FaultOutcome(report)
  }

  /// The same against a TLS server.
  func outcome(of fault: TLSFault, _ nginx: NginxServer) async throws -> FaultOutcome {
    let transport = CurlTransport(options: .init(caFile: nginx.caFile))
    let report = try await report("https://localhost:\(nginx.http1Port)", transport)
    try await expectHealth(of: transport)
    await transport.shutdown()
    return FaultOutcome(report)
  }

  /// Makes the call.
  ///
  /// - Parameters:
  ///   - needsWarmUp: whether another call on the same connection must succeed first.
  ///   - isSlow: whether only the caller's deadline ends the call.
  ///   - isEndless: whether only a limit of the client ends an exchange.
  ///   - onRetry: called when the call is about to be tried again.
  func report(
    _ url: String, _ transport: any HTTPTransport, needsWarmUp: Bool = false, isSlow: Bool = false,
    isEndless: Bool = false, onRetry: @escaping @Sendable () throws -> Void = {}
  ) async throws -> CallReport {
    let observer = RetryWatcher(onRetry: onRetry)
    let client = try client(url, transport, observer: observer, waitsLong: !isEndless)
    if needsWarmUp {
      _ = try await client.call(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"))
    }
    let options = CallOptions(timeout: isSlow ? .seconds(2) : Self.deadline)
    do {
      return try await make(client, options)
    } catch let error as APIError {
      Canary.capture(error)
      return try #require(error.report)
    }
  }

  private func make(_ client: APIClient, _ options: CallOptions) async throws -> CallReport {
    switch call {
    case .read:
      try await client.respond(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b"), options: options).report
    case .idempotent:
      try await client.respond(
        GraphRPC.createFollow, CreateFollowRequest(followerId: "a", followeeId: "b"), options: options
      ).report
    case .write, .keyedWrite:
      try await client.respond(
        SocialRPC.createShare, CreateShareRequest(userId: "a", postId: "b", shareType: "dm"), options: options
      ).report
    }
  }

  /// - Parameter waitsLong: whether a server may be silent for longer than a busy machine makes it.
  func client(
    _ url: String, _ transport: any HTTPTransport, observer: (any CallObserver)? = nil, waitsLong: Bool
  ) throws -> APIClient {
    try .test(
      transport, baseURL: url,
      overrides: ConfigurationOverrides(
        recognizesIdempotencyKeys: call.recognizesKeys,
        limits: TransferLimits(
          connectTimeout: .seconds(20), idleTimeout: waitsLong ? .seconds(60) : .seconds(5), totalTimeout: .seconds(60),
          maximumResponseBytes: 1 << 20)),
      tokens: Tokens(), observer: observer,
      resilience: Resilience(retry: .standard(attempts: 3, delay: .milliseconds(20)), breaker: nil),
      clock: ContinuousClock())
  }

  /// Calls at once through the transport that met the fault, to a server that is well.
  private func expectHealth(of transport: CurlTransport) async throws {
    let server = try FaultServer(handler: Self.answer)
    defer { server.stop() }
    try await expectHealth(of: transport, at: server.url)
  }

  func expectHealth(of transport: any HTTPTransport, at url: String) async throws {
    let client = try client(url, transport, waitsLong: true)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await client.respond(GraphRPC.isMuted, IsMutedRequest(muterId: "a", muteeId: "b")).attempts.count
        }
      }
      for try await attempts in group { #expect(attempts == 1) }
    }
  }

  private static let answer: FaultServer.Handler = { request in
    let body =
      request.url.text.hasSuffix("is-muted")
      ? #"{"is_muted":true}"# : #"{"success":true,"message":"done","share_count":1}"#
    return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
  }
}

/// Does something whenever a call is about to be tried again.
private struct RetryWatcher: CallObserver {
  let onRetry: @Sendable () throws -> Void

  func callBegan(_ rpc: RPCDescriptor) {}
  func callEnded(_ rpc: RPCDescriptor, _ report: CallReport) {}
  func callWillRetry(_ rpc: RPCDescriptor, after attempt: CallAttempt) {
    do { try onRetry() } catch { Issue.record(error) }
  }
}
