import NovaCore

/// What goes wrong for which calls, written as `[<rpc, service or *>=]<fault>[x<times>][@<probability>]`.
///
/// | fault | what the caller sees |
/// |---|---|
/// | `503` | this status, from 200 to 599; one below 300 lets the call through |
/// | `429 retry-after 3` | the status with `Retry-After: 3` |
/// | `drop` | the connection ends without an answer, and nothing was done |
/// | `drop after` | the same, but the call was performed |
/// | `hang` | no answer until the caller gives up |
/// | `latency 50ms` | the answer comes so much later; at most 10 s |
/// | `latency 50ms±20`, `latency 50ms~20` | the same, distributed evenly or normally (`+-` will do for `±`) |
/// | `throttle 10/s` | 429 with `Retry-After` for what goes beyond; `/m` and `/h` are known, too |
/// | `503,503,200` | one after the other, then nothing more |
///
/// ```swift
/// let rule = try FaultRule("social.CreateLike=503x2")
/// ```
public struct FaultRule: Sendable, Hashable, CustomStringConvertible {
  /// The rule as it was written.
  public let description: String
  /// The part without the calls it is for.
  let fault: String
  let target: FaultTarget
  let steps: [FaultStep]
  /// The share of calls it hits.
  let probability: Double

  /// Reads a rule.
  ///
  /// - Throws: ``FaultRuleError``.
  public init(_ text: String) throws(FaultRuleError) {
    var parser = FaultRuleParser(text)
    (target, steps, probability) = try parser.parse()
    fault = parser.fault
    description = parser.rule
  }

  /// Reads the fault of a single request, as the header `Nova-Fault` names it: no calls, no times, no probability.
  init(ofOneRequest text: String) throws(FaultRuleError) {
    try self.init(text)
    guard target == .all, steps.count == 1, steps[0].times == nil, probability == 1, !fault.hasPrefix("throttle") else {
      throw FaultRuleError(
        description, "one request takes one fault, for example 503, \"429 retry-after 3\", drop, hang or latency 50ms")
    }
  }
}

/// Which calls a rule is for.
enum FaultTarget: Sendable, Hashable {
  case all
  /// Every call of a service; uploaded bytes and files are the media service's.
  case service(String)
  case rpc(String)

  func matches(_ service: String?, _ rpc: String?) -> Bool {
    switch self {
    case .all: true
    case .service(let name): name == service
    case .rpc(let id): id == rpc
    }
  }
}

/// One fault of a sequence, and how many calls it hits; nil for all that come.
struct FaultStep: Sendable, Hashable {
  let effect: FaultEffect
  let times: Int?
}

/// What a fault does to a call.
enum FaultEffect: Sendable, Hashable {
  /// The call goes on as if there were no rule.
  case pass
  case status(Int, retryAfter: Int?)
  case drop
  case dropAfter
  case hang
  case latency(FaultLatency)
  case throttle(FaultThrottle)

  /// Whether there is nothing left to decide after this one.
  var isOutcome: Bool { if case .latency = self { false } else { true } }
}
