import NovaCore
import NovaMock
import NovaRegistry
import NovaTesting

@testable import NovaContract

/// The mock behind a gateway that answers some calls as somebody else.
final class HostileGateway: HTTPTransport {
  enum Defect: Sendable {
    /// The call is an internal one, which sees everything.
    case dropsToken
    /// The call is that of the account that registered first.
    case answersAsOwner
    /// The same, but only for calls without a token.
    case answersNobodyAsOwner
    /// The call is answered without the mock, if another account makes it.
    case refusesOthers(HTTPResponse)
  }

  private let base: any HTTPTransport
  private let defect: Defect
  private let isAffected: @Sendable (HTTPRequest) -> Bool
  private let tokens = Locked<[String]>([])

  init(_ base: any HTTPTransport, _ defect: Defect, isAffected: @escaping @Sendable (HTTPRequest) -> Bool) {
    (self.base, self.defect, self.isAffected) = (base, defect, isAffected)
  }

  /// A gateway with a defect of some RPCs.
  convenience init(_ base: any HTTPTransport, _ defect: Defect, rpcs: Set<String>) {
    self.init(base, defect) { request in request.rpc.map { rpcs.contains($0.id) } ?? false }
  }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    var request = request
    if isAffected(request), let answer = change(&request) { return answer }
    let response = try await base.send(request)
    if request.rpc?.id == "auth.Register", let json = try? JSONValue(jsonUTF8: response.body.inMemory),
      let token = json["token"]?.stringValue
    {
      tokens.withLock { $0.append("Bearer \(token)") }
    }
    return response
  }

  /// - Returns: the answer in place of the mock's.
  private func change(_ request: inout HTTPRequest) -> HTTPResponse? {
    let known = tokens.withLock { $0 }
    switch defect {
    case .dropsToken: request.headers["Authorization"] = nil
    case .answersAsOwner: request.headers["Authorization"] = known.first
    case .answersNobodyAsOwner:
      if request.headers["Authorization"] == nil { request.headers["Authorization"] = known.first }
    case .refusesOthers(let answer):
      if let token = request.headers["Authorization"], known.dropFirst().contains(token) { return answer }
    }
    return nil
  }
}

extension HTTPRequest {
  var rpc: RPCDescriptor? {
    if case .rpc(let rpc, _) = RPCRouter.nova.route(method, url.path) { rpc } else { nil }
  }

  var isForFile: Bool { url.path.hasPrefix("/media/") }
}

extension HTTPResponse {
  static func json(_ status: Int, _ text: String) -> HTTPResponse {
    HTTPResponse(status: status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
  }
}

extension ContractCheck {
  /// A check of a mock that looks for leaks, too.
  static func ofMockWithPrivacy(
    _ change: (inout Options) -> Void = { _ in }, backend: MockBackend = MockBackend(now: { 1_764_583_200 }),
    tokens: (any TokenProvider)? = nil, transport: (MockTransport) -> any HTTPTransport = { $0 }
  ) -> ContractCheck {
    ofMock(
      {
        $0.checksPrivacy = true
        change(&$0)
      }, backend: backend, tokens: tokens, transport: transport)
  }
}
