/// What a contract check found.
public struct ContractReport: Sendable, Hashable {
  /// What came of one RPC.
  public struct RPCResult: Sendable, Hashable {
    /// The RPC: `graph.GetFollowers`.
    public let rpc: String
    /// The requests that were sent, by their names, in order.
    public internal(set) var requests: [String] = []
    /// Why it was not checked; nil where it was.
    public internal(set) var unchecked: String?
    /// Whether the gateway did not let us in or wanted another user: 401 or 403 to a request that is right.
    public internal(set) var isRefused = false
    /// How long its requests took, together.
    public internal(set) var duration: Duration = .zero
    /// Every difference, the worst first.
    public internal(set) var differences: [ContractDifference] = []

    init(rpc: String) { self.rpc = rpc }
  }

  /// Why a check ended before its end.
  public enum Stop: Sendable, Hashable {
    /// It was told to, by Ctrl-C for example.
    case interrupted
    /// As many requests as allowed were sent.
    case maximumRequests(Int)
    /// As much time as allowed has passed.
    case maximumTime(Duration)
    /// There is no connection; the text says why.
    case noConnection(String)
    /// There is no token, because a session is over for example; the text says why.
    case noToken(String)
  }

  /// What was checked: the base URL, or words for the mock.
  public let target: String
  /// Whether only RPCs without side effects were called.
  public let isReadOnly: Bool
  /// Every RPC of the contract, in the contract's order.
  public internal(set) var results: [RPCResult]
  /// Why the check ended before its end; nil where it did not.
  public internal(set) var stop: Stop?
  /// What the check created and the contract has no way to delete.
  public internal(set) var leftBehind: [String] = []
  /// What the check could not delete though the contract has a way.
  public internal(set) var notCleanedUp: [String] = []

  /// Every difference: by RPC in the contract's order, the worst first.
  public var differences: [ContractDifference] { results.flatMap(\.differences) }
  /// How many requests were sent.
  public var requestCount: Int { results.reduce(0) { $0 + $1.requests.count } }
  /// How many RPCs were checked.
  public var checkedCount: Int { results.count { $0.unchecked == nil } }

  /// How many differences of a grade there are.
  public func count(_ grade: ContractDifference.Grade) -> Int { differences.count { $0.grade == grade } }

  /// The RPCs that could not be checked because the gateway wanted somebody to be signed in, or somebody else.
  public var refused: [String] { results.filter(\.isRefused).map(\.rpc) }

  /// Whether the check came to its end without breaking differences, and was let in.
  public var isPassed: Bool { stop == nil && count(.breaking) == 0 && refused.isEmpty }
}

extension ContractReport.Stop: CustomStringConvertible {
  /// `as many requests as allowed were sent (100)`
  public var description: String {
    switch self {
    case .interrupted: "interrupted"
    case .maximumRequests(let count): "as many requests as allowed were sent (\(count))"
    case .maximumTime(let duration): "as much time as allowed has passed (\(duration.components.seconds) s)"
    case .noConnection(let reason): "no connection: \(reason)"
    case .noToken(let reason): "there is no token: \(reason)"
    }
  }
}
