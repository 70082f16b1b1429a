public import NovaCore

/// A rule that injects faults into calls, written as `[<rpc, service or *>=]<fault>[x<times>][@<probability>]`.
///
/// The chunks of uploads are called `media.UploadBytes`, and stored files `media.DownloadBytes`.
///
/// | fault | effect |
/// |---|---|
/// | `503` | this status, from 200 to 599; one below 300 lets the call through |
/// | `429 retry-after 3` | the status with `Retry-After: 3` |
/// | `drop` | the connection ends without a response, and the call is not performed |
/// | `drop after` | the connection ends without a response, but the call is performed |
/// | `corrupt` | a byte of an upload's chunk or of a downloaded file is changed on its way |
/// | `cut 1000` | the call is performed, and the connection ends after 1000 bytes of the response's body |
/// | `duplicate` | every event of a stream arrives twice |
/// | `stall 40s` | a stream of events is silent for this time, and then continues; at most 300 s |
/// | `half-open 100` | a stream of events is silent for ever after 100 bytes, and stays open |
/// | `new epoch` | all events are forgotten when a stream of events begins |
/// | `trailers-only` | gRPC: the call is performed, and the status OK arrives without a message |
/// | `no trailers` | gRPC: the call is performed, and the stream ends without a status |
/// | `goaway` | gRPC: the connection takes no more calls, and this one is not performed |
/// | `reset refused_stream` | gRPC: the stream is reset with an error code of HTTP/2, and the call is not performed |
/// | `bad prefix` | gRPC: the call is performed, and the prefix of its message has undefined flags |
/// | `stalled window` | gRPC: the request is not read, and there is no response |
/// | `truncated message` | gRPC: the call is performed, and half of its message arrives, with the status OK |
/// | `hang` | no response until the caller times out |
/// | `latency 50ms` | a delayed response; at most 10 s |
/// | `latency 50ms±20`, `latency 50ms~20` | a random delay, uniform or normal (`+-` works for `±`) |
/// | `bandwidth 20kB/s` | bodies of requests and responses with so many bytes per second; `up` and `down` limit one direction, and all calls of a rule with `shared` share it |
/// | `throttle 10/s` | 429 with `Retry-After` for calls over the limit; `/m` and `/h` also work |
/// | `503,503,200` | one fault per call, in order |
///
/// ```swift
/// let rule = try FaultRule("social.CreateLike=503x2")
/// ```
public struct FaultRule: Sendable, Hashable, CustomStringConvertible {
  /// The rule as it was written.
  public let description: String
  /// The part of the rule after its target.
  let fault: String
  let target: FaultTarget
  let steps: [FaultStep]
  /// The probability that it affects a matching call.
  let probability: Double

  /// Parses a rule.
  ///
  /// - Throws: ``FaultRuleError``.
  public init(_ text: String) throws(FaultRuleError) {
    var parser = FaultRuleParser(text)
    (target, steps, probability) = try parser.parse()
    fault = parser.fault
    description = parser.rule
  }

  /// Whether it limits the bandwidth of requests.
  var limitsUploads: Bool {
    steps.contains { if case .bandwidth(let bandwidth) = $0.effect { bandwidth.direction != .down } else { false } }
  }

  /// Whether chance decides what it does.
  var isRandom: Bool {
    if probability < 1 { return true }
    return steps.contains { if case .latency(let latency) = $0.effect { latency.spread > 0 } else { false } }
  }

  /// Parses the fault of a single request from its `Nova-Fault` header: without target, times, or probability.
  init(ofOneRequest text: String) throws(FaultRuleError) {
    try self.init(text)
    guard target == .all, steps.count == 1, steps[0].times == nil, probability == 1, !fault.hasPrefix("throttle") else {
      throw FaultRuleError(
        description,
        "a request takes exactly one fault, for example 503, \"429 retry-after 3\", drop, hang or latency 50ms")
    }
  }
}

/// The calls that a rule matches.
enum FaultTarget: Sendable, Hashable {
  case all
  /// Every call of a service; uploaded bytes and files belong to the media service.
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

/// One fault of a sequence, with the number of calls it affects; nil for all.
struct FaultStep: Sendable, Hashable {
  let effect: FaultEffect
  let times: Int?
}

/// An error in a fault rule.
public struct FaultRuleError: NovaError, Hashable {
  /// The rule as it was written.
  public let rule: String
  /// The problem, and what was expected.
  public let problem: String

  init(_ rule: String, _ problem: String) {
    self.rule = String(rule.prefix(200))
    self.problem = problem
  }

  public var description: String { "invalid fault rule \"\(rule)\": \(problem)" }
}
