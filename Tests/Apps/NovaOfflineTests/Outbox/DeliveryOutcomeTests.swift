import NovaCore
import NovaSocial
import NovaTestSupport
import Testing

@testable import NovaOffline

/// What each failure means for a write.
@Suite struct DeliveryOutcomeTests {
  enum Expected: String, Sendable { case done, refused, signedOut, later, laterForAll, cancelled }

  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var error: any Error
    var rpc = SocialRPC.createComment.descriptor
    var expected: Expected
    var mayHaveLeft: Bool?

    var testDescription: String { "\(name) \(rpc.method)" }
  }

  private static func transport(_ kind: TransportError.Kind, left: Bool) -> APIError {
    let code: APIError.Code =
      switch kind {
      case .connectTimeout, .idleTimeout, .totalTimeout: .timeout
      case .circuitOpen: .unavailable
      default: .networkError
      }
    return APIError(code, "it failed", transport: TransportError(kind, "it failed", requestMayHaveLeft: left))
  }

  private static let portal: APIError = {
    var error = APIError(HTTPResponse(status: 302, headers: ["Location": "http://login.example/"]))
    error.rpc = "social.CreateComment"
    return error
  }()

  static let cases: [Case] =
    [400, 403, 404, 409, 410, 412, 413, 422, 501].map {
      Case(name: "HTTP \($0)", error: APIError.status($0), expected: .refused)
    }
    + [408, 500, 502, 503, 504].map {
      Case(name: "HTTP \($0)", error: APIError.status($0), expected: .later, mayHaveLeft: true)
    }
    // From a proxy, or from a network that requires a sign-in: the gateway has not seen the write.
    + [407, 421, 425, 511, 521, 523].map {
      Case(name: "HTTP \($0)", error: APIError.status($0), expected: .later, mayHaveLeft: false)
    }
    + [520, 524].map { Case(name: "HTTP \($0)", error: APIError.status($0), expected: .later, mayHaveLeft: true) }
    + [TransportError.Kind.connectionRefused, .nameResolution, .connectionFailed, .tls, .offline, .circuitOpen].map {
      Case(name: $0.rawValue, error: transport($0, left: false), expected: .later, mayHaveLeft: false)
    }
    + [TransportError.Kind.connectionLost, .idleTimeout, .totalTimeout].map {
      Case(name: $0.rawValue, error: transport($0, left: true), expected: .later, mayHaveLeft: true)
    }
    + [
      Case(name: "HTTP 401", error: APIError.status(401), expected: .signedOut),
      Case(name: "HTTP 429", error: APIError.status(429), expected: .laterForAll),
      Case(name: "Retry-After", error: APIError.status(503, headers: ["Retry-After": "9"]), expected: .laterForAll),
      Case(name: "a captive portal", error: portal, expected: .later, mayHaveLeft: true),
      Case(name: "cancelled", error: CancellationError(), expected: .cancelled),
      Case(name: "cancelled", error: APIError.ofCancellation, expected: .cancelled),
      Case(name: "unconfirmed", error: APIError(.unconfirmed, "without the content"), expected: .refused),
      Case(name: "a rule", error: APIError(.invalidArgument, "content must not be empty"), expected: .refused),
      Case(name: "unencrypted", error: APIError(.insecureConnection, "http"), expected: .later, mayHaveLeft: false),
      Case(
        name: "exists", error: APIError.status(409, body: #"{"code":6,"message":""}"#),
        rpc: SocialRPC.createLike.descriptor, expected: .done),
      Case(
        name: "in progress", error: APIError.status(409, body: #"{"code":6,"message":"idempotency key in progress"}"#),
        rpc: SocialRPC.createLike.descriptor, expected: .later, mayHaveLeft: true),
      Case(
        name: "in progress", error: APIError.status(409, body: #"{"error":{"code":"IDEMPOTENCY_IN_PROGRESS"}}"#),
        expected: .later, mayHaveLeft: true),
      Case(
        name: "in progress, Retry-After",
        error: APIError.status(
          409, headers: ["Retry-After": "9"], body: #"{"error":{"code":"IDEMPOTENCY_IN_PROGRESS"}}"#), expected: .later),
      Case(
        name: "exists", error: APIError.status(409, body: #"{"code":6,"message":""}"#), expected: .refused),
    ] + gone + notOfWrite

  /// Only the service knows that what is to be deleted is gone. Anything between can send 404.
  private static let gone: [Case] = {
    let services = [
      #"{"code":5,"message":"comment not found"}"#, #"{"code":5}"#, #"{"error":{"code":"NOT_FOUND","message":"x"}}"#,
      #"{"error":{"code":5,"message":"gone"}}"#,
    ]
    let others = [
      "", "404 page not found", #"{"message":"no Route matched with those values"}"#, #"{"detail":"Not Found"}"#,
      #"{"timestamp":"2026-01-01","status":404,"error":"Not Found","path":"/api"}"#, #"{"error":"not found"}"#,
      #"{"code":5,"message":"Not Found","details":[]}"#, "[]",
      #"{"type":"about:blank","title":"Not Found","status":404}"#,
    ]
    return [404, 410].flatMap { status in
      [SocialRPC.deleteComment.descriptor, SocialRPC.deleteLike.descriptor, SocialRPC.updateComment.descriptor]
        .flatMap { rpc in
          services.map {
            Case(
              name: "HTTP \(status) \($0)", error: APIError.status(status, body: $0), rpc: rpc,
              expected: rpc.method.hasPrefix("Delete") ? .done : .refused)
          }
            + others.map {
              Case(name: "HTTP \(status) \($0)", error: APIError.status(status, body: $0), rpc: rpc, expected: .refused)
            }
        }
    }
  }()

  /// Failures that say nothing about the write: of a firewall, and of the refresh that the call waited for.
  private static let notOfWrite: [Case] = {
    let page = HTTPResponse(status: 403, headers: ["Content-Type": "text/html"], body: Array("<html>x</html>".utf8))
    var cases = [Case(name: "HTTP 403 page", error: APIError(page), expected: .later, mayHaveLeft: true)]
    for status in [200, 400, 403, 404, 409, 410, 413, 422, 501] {
      for rpc in [SocialRPC.createComment.descriptor, SocialRPC.deleteLike.descriptor] {
        var error = APIError.status(status, body: #"{"code":5,"message":"x"}"#)
        error.isOfRefresh = true
        cases.append(
          Case(name: "refresh: HTTP \(status)", error: error, rpc: rpc, expected: .later, mayHaveLeft: false))
      }
    }
    return cases
  }()

  @Test(arguments: cases) func failuresAreSorted(_ test: Case) throws {
    let entry = OutboxEntry.sample(test.rpc)
    let outcome = DeliveryOutcome(test.error, of: entry, OfflineRules.write(test.rpc.id))
    let (kind, mayHaveLeft): (Expected, Bool?) =
      switch outcome {
      case .done: (.done, nil)
      case .refused: (.refused, nil)
      case .signedOut: (.signedOut, nil)
      case .cancelled: (.cancelled, nil)
      case .later(_, _, let isForAll, let mayHaveLeft): (isForAll ? .laterForAll : .later, mayHaveLeft)
      }
    #expect(kind == test.expected)
    if let expected = test.mayHaveLeft { #expect(mayHaveLeft == expected) }
  }

  @Test func theServersWaitIsKnown() {
    let error = APIError.status(429, headers: ["Retry-After": "17"])
    guard case .later(_, let wait, _, _) = DeliveryOutcome(error, of: .sample(SocialRPC.createLike.descriptor), nil)
    else {
      Issue.record("it is not tried again")
      return
    }
    #expect(wait == .seconds(17))
  }
}

extension OutboxEntry {
  /// An entry that was never sent.
  static func sample(
    _ rpc: RPCDescriptor, id: Int64 = 1, identity: Identity = .me, first: Double? = nil, last: Double? = nil,
    state: State = .waiting, entities: [String] = [], newID: String? = nil, values: Set<String> = [],
    requestHash: Int = 0
  ) -> OutboxEntry {
    OutboxEntry(
      id: id, rpc: rpc, request: rpc.requestType.init(), createdAt: 0, firstAttemptAt: first, attempts: 0,
      nextAttemptAt: nil, state: state, failure: nil, entities: entities, newID: newID, identity: identity, key: "key",
      lastAttemptAt: last ?? first, relation: nil, isRelated: false, wouldChange: nil, revision: 0, values: values,
      requestHash: requestHash)
  }
}
