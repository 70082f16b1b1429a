import NovaContract
import NovaCore
import NovaMock
import NovaRegistry
import NovaTestSupport
import NovaTesting

extension ContractCheck {
  /// A check of a mock backend of its own, on a clock that goes by itself.
  static func ofMock(
    _ change: (inout Options) -> Void = { _ in }, prefixOfIDs: String = "00000000-0000-4000-8000",
    backend: MockBackend = MockBackend(now: { 1_764_583_200 }), tokens: (any TokenProvider)? = nil,
    baseURL: HTTPURL = "http://localhost:8080", transport: (MockTransport) -> any HTTPTransport = { $0 }
  ) -> ContractCheck {
    var options = Options()
    options.isReadOnly = false
    // The tests of leaks turn it on.
    options.checksPrivacy = false
    change(&options)
    let ids = Locked(0)
    return ContractCheck(
      transport: transport(MockTransport(backend)), target: "the mock", tokens: tokens,
      options: options, clock: ManualClock(autoAdvances: true),
      makeID: {
        let number = ids.withLock { count in
          count += 1
          return count
        }
        return "\(prefixOfIDs)-\(100_000_000_000 + number)"
      },
      baseURL: { _ in baseURL })
  }
}

extension ContractCheck.Options {
  /// Checks only the RPCs of the service that a path of the gateway belongs to; all RPCs at full depth.
  mutating func checkOnlyService(of path: String) {
    guard !TestDepth.isFull(), let service = RPCRegistry.nova.rpcs.first(where: { $0.http.path == path })?.service
    else { return }
    rpcs = Set(RPCRegistry.nova.rpcs.filter { $0.service == service }.map(\.id))
  }
}

extension ContractReport {
  /// Everything that the check writes, its baseline included.
  var inEveryFormat: String {
    let jsons = [json.jsonUTF8, sarif.jsonUTF8, ContractBaseline().updated(with: self).jsonUTF8]
    return jsons.map { String(decoding: $0, as: UTF8.self) }.joined() + markdown + junit + gitHubAnnotations
  }
}

extension ContractDifference {
  var line: String { "\(grade) \(kind) \(rpc) [\(request)] \(path): expected \(expected), found \(found) ×\(count)" }
}

extension ContractReport.RPCResult {
  var isRead: Bool { RPCRegistry.nova.rpc(named: rpc)?.effect == .noSideEffects }
}
