package import NovaCoverage

/// The result of a contract check.
///
/// ```swift
/// let report = await check.run()
/// guard report.isPassed else { print(report.markdown); exit(1) }
/// ```
public struct ContractReport: Sendable, Hashable {
  /// The result of one RPC.
  public struct RPCResult: Sendable, Hashable {
    /// The RPC: `graph.GetFollowers`.
    public let rpc: String
    /// The names of the requests that were sent, in order.
    public internal(set) var requests: [String] = []
    /// Why the RPC was not checked; nil if it was.
    public internal(set) var unchecked: String?
    /// Whether the gateway refused a valid request with 401 or 403.
    public internal(set) var isRefused = false
    /// Whether the gateway answered all its requests with 429 or 503.
    public internal(set) var isOverloaded = false
    /// The total duration of its requests.
    public internal(set) var duration: Duration = .zero
    /// The differences, the most severe first.
    public internal(set) var differences: [ContractDifference] = []

    init(rpc: String) { self.rpc = rpc }
  }

  /// What was not probed for leaks, or not checked, and why.
  public struct SkippedProbes: Sendable, Hashable {
    /// The reason: `no second account could be registered`.
    public let reason: String
    /// What was not probed: RPCs, things such as `a draft`, or callers.
    public internal(set) var probes: [String]
  }

  /// The reason why a check ended early.
  public enum Stop: Sendable, Hashable {
    /// The task was canceled, for example by Ctrl-C.
    case interrupted
    /// The maximum number of requests was sent.
    case maximumRequests(Int)
    /// The maximum duration was reached.
    case maximumTime(Duration)
    /// There is no connection, for this reason.
    case noConnection(String)
    /// There is no token, for this reason: for example, because the session has expired.
    case noToken(String)
    /// The server is not a gateway of the contract, for this reason: for example, because every path returns HTML.
    case notAGateway(String)
  }

  /// The name of the gateway: its base URL, for example.
  public let target: String
  /// Whether only RPCs without side effects were called.
  public let isReadOnly: Bool
  /// Every RPC of the contract, in the contract's order.
  public internal(set) var results: [RPCResult]
  /// The differences of all that the gateway sends: forms of JSON that are the same everywhere, such as 64-bit integers as
  /// strings. Their RPC is ``gateway``.
  public internal(set) var gatewayDifferences: [ContractDifference] = []
  /// Why the check ended early; nil if it did not.
  public internal(set) var stop: Stop?
  /// When the check began, in milliseconds since 1970.
  package internal(set) var start = 0
  /// The least severe grade of differences that fail the check. Default: breaking.
  public var failsOn = ContractDifference.Grade.breaking
  /// The entries of the baseline that the check did not find again.
  public internal(set) var staleEntries: [ContractBaseline.Entry] = []
  /// Whether a baseline was applied.
  var hasBaseline = false
  /// The number of requests that asked for something that the caller may not see.
  public internal(set) var probeCount = 0
  /// What was not probed for leaks, and why.
  public internal(set) var skippedProbes: [SkippedProbes] = []
  /// How much of the contract was tried; nil if nothing was sent.
  package internal(set) var coverage: ContractCoverage?
  /// Whether reports have the coverage. Default: false.
  package var showsCoverage = false
  /// What exists only in another way of calling, and why: names in JSON, for example, over gRPC.
  public internal(set) var skippedChecks: [SkippedProbes] = []
  /// What the check created and the contract has no call to delete.
  public internal(set) var leftBehind: [String] = []
  /// What the check created and could not delete.
  public internal(set) var notCleanedUp: [String] = []

  /// What takes the place of an RPC in the differences of the gateway as a whole.
  public static let gateway = "gateway"

  /// All differences: those of the gateway as a whole, then in the contract's order of RPCs, the most severe first in each.
  public var differences: [ContractDifference] { gatewayDifferences + results.flatMap(\.differences) }
  /// The number of requests sent.
  public var requestCount: Int { results.reduce(0) { $0 + $1.requests.count } }
  /// The number of RPCs checked.
  public var checkedCount: Int { results.count { $0.unchecked == nil } }

  /// Counts the differences of a grade.
  public func count(_ grade: ContractDifference.Grade) -> Int { differences.count { $0.grade == grade } }

  /// Counts the differences of a grade that no baseline contains.
  public func newCount(_ grade: ContractDifference.Grade) -> Int {
    differences.count { $0.grade == grade && !$0.isKnown }
  }

  /// The number of differences that the baseline contains.
  public var knownCount: Int { differences.count(where: \.isKnown) }

  /// The RPCs that could not be checked because the gateway requires authentication, or a different account.
  public var refused: [String] { results.filter(\.isRefused).map(\.rpc) }

  /// The RPCs that could not be checked because the gateway answered all their requests with 429 or 503.
  public var overloaded: [String] { results.filter(\.isOverloaded).map(\.rpc) }

  /// What the gateway shows to callers who may not see it. All of these are breaking.
  public var leaks: [ContractDifference] { differences.filter { $0.kind == .leak } }

  /// Whether the check was completed without refused and overloaded RPCs, and without new differences of a grade that fails
  /// it.
  public var isPassed: Bool {
    stop == nil && failingGrades.allSatisfy { newCount($0) == 0 } && refused.isEmpty && overloaded.isEmpty
  }

  /// The grades that fail the check: ``failsOn``, and more severe ones.
  package var failingGrades: [ContractDifference.Grade] { ContractDifference.Grade.allCases.filter { $0 <= failsOn } }

  /// Whether a difference fails the check.
  func fails(_ difference: ContractDifference) -> Bool { difference.grade <= failsOn && !difference.isKnown }
}

extension ContractReport.Stop: CustomStringConvertible {
  /// `the maximum number of requests was sent (100)`
  public var description: String {
    switch self {
    case .interrupted: "interrupted"
    case .maximumRequests(let count): "the maximum number of requests was sent (\(count))"
    case .maximumTime(let duration): "the maximum duration was reached (\(duration.components.seconds) s)"
    case .noConnection(let reason): "no connection: \(reason)"
    case .noToken(let reason): "no token: \(reason)"
    case .notAGateway(let reason): "not a Nova gateway: \(reason)"
    }
  }
}
