/// A kind of fault, as rules write it. The limits of the parser and the form of the inspector come from here.
struct FaultKind: Sendable {
  /// A part of the rule that varies.
  struct Parameter: Sendable {
    /// The name in the pattern.
    let name: String
    let title: String
    let example: String
    /// The allowed whole numbers; nil for other values.
    var range: ClosedRange<Int>?
    var choices: [String] = []
  }

  static let statuses = 200...599
  static let failingStatuses = 300...599
  static let retryAfterSeconds = 0...86_400
  static let throttleCounts = 1...1_000_000
  static let throttleUnits = ["s": 1, "m": 60, "h": 3600]
  static let cutCounts = 0...999_999_999
  static let stallSeconds = 1...300
  static let times = 1...1_000_000
  static let latencies = 0...Int(FaultLatency.maximumMilliseconds)

  let title: String
  /// The fault in a rule, with the names of parameters in braces.
  let pattern: String
  /// The effect, as the caller sees it.
  let help: String
  var parameters: [Parameter] = []

  static let all = [
    FaultKind(
      title: "Status", pattern: "{status}",
      help: "Responds with this status, and does not execute the call. A status below 300 lets the call through.",
      parameters: [Parameter(name: "status", title: "Status", example: "503", range: statuses)]),
    FaultKind(
      title: "Status with Retry-After", pattern: "{status} retry-after {seconds}",
      help: "Responds with this status and Retry-After, and does not execute the call.",
      parameters: [
        Parameter(name: "status", title: "Status", example: "429", range: failingStatuses),
        Parameter(name: "seconds", title: "Retry after, in seconds", example: "3", range: retryAfterSeconds),
      ]),
    FaultKind(
      title: "Drop", pattern: "drop",
      help: "Closes the connection without a response, and does not execute the call."),
    FaultKind(
      title: "Drop after the call", pattern: "drop after",
      help: "Executes the call, and closes the connection without a response."),
    FaultKind(
      title: "Hang", pattern: "hang", help: "Sends no response: the caller waits until it times out."),
    FaultKind(
      title: "Corrupt", pattern: "corrupt",
      help: "Changes a byte of an upload's chunk or of a downloaded file on its way. Other calls are unaffected."),
    FaultKind(
      title: "Cut", pattern: "cut {bytes}",
      help: "Executes the call, and closes the connection after this many bytes of the response's body.",
      parameters: [Parameter(name: "bytes", title: "Bytes", example: "1000", range: cutCounts)]),
    FaultKind(
      title: "Duplicate events", pattern: "duplicate",
      help: "Sends every event of a stream twice. Other calls are unaffected."),
    FaultKind(
      title: "Stall", pattern: "stall {seconds}s",
      help: "A stream of events is silent for this time, and then sends what has happened. Other calls are unaffected.",
      parameters: [Parameter(name: "seconds", title: "Seconds", example: "40", range: stallSeconds)]),
    FaultKind(
      title: "Half-open", pattern: "half-open {bytes}",
      help: "A stream of events is silent for ever after this many bytes, without an end. Other calls are unaffected.",
      parameters: [Parameter(name: "bytes", title: "Bytes", example: "100", range: cutCounts)]),
    FaultKind(
      title: "New epoch", pattern: "new epoch",
      help: "Forgets all events when a stream of events begins: its position is gone. Other calls are unaffected."),
    FaultKind(
      title: "gRPC: OK without a message", pattern: "trailers-only",
      help: "Executes the call, and sends the status OK in the headers, without a message. Only calls over gRPC."),
    FaultKind(
      title: "gRPC: no status", pattern: "no trailers",
      help: "Executes the call, and ends the stream after the message, without a status. Only calls over gRPC."),
    FaultKind(
      title: "gRPC: GOAWAY", pattern: "goaway",
      help: "Sends GOAWAY, and does not execute the call: it can be sent again. Only calls over gRPC."),
    FaultKind(
      title: "gRPC: RST_STREAM", pattern: "reset {code}",
      help: "Resets the stream with this error code, and does not execute the call. Only calls over gRPC.",
      parameters: [
        Parameter(
          name: "code", title: "Error code of HTTP/2", example: FrameFault.ResetCode.refusedStream.rawValue,
          choices: FrameFault.ResetCode.allCases.map(\.rawValue))
      ]),
    FaultKind(
      title: "gRPC: bad prefix", pattern: "bad prefix",
      help: "Executes the call, and sends a message with undefined flags in its prefix. Only calls over gRPC."),
    FaultKind(
      title: "gRPC: stalled window", pattern: "stalled window",
      help: "Does not read the request, and sends nothing: the caller waits until it times out. Only calls over gRPC."),
    FaultKind(
      title: "gRPC: truncated message", pattern: "truncated message",
      help: "Executes the call, and sends half of the message and the status OK. Only calls over gRPC."),
    FaultKind(
      title: "Latency", pattern: "latency {milliseconds}ms", help: "Delays the response.",
      parameters: [delay]),
    FaultKind(
      title: "Random latency, uniform", pattern: "latency {milliseconds}ms±{spread}",
      help: "Delays the response by a random time, at most the spread below or above the delay.",
      parameters: [delay, spread("Spread, in milliseconds")]),
    FaultKind(
      title: "Random latency, normal", pattern: "latency {milliseconds}ms~{spread}",
      help: "Delays the response by a normally distributed time.",
      parameters: [delay, spread("Standard deviation, in milliseconds")]),
    FaultKind(
      title: "Bandwidth", pattern: "bandwidth {direction} {rate}",
      help:
        "Limits the bytes per second of the bodies of requests, responses, or both; shared by all calls, or for each.",
      parameters: [
        Parameter(
          name: "direction", title: "Direction", example: "both",
          choices: ["both", "down", "up", "both shared", "down shared", "up shared"]),
        Parameter(name: "rate", title: "Rate, such as 20kB/s, 1MiB/s, or 1.5Mbit/s", example: "20kB/s"),
      ]),
    FaultKind(
      title: "Throttle", pattern: "throttle {count}/{unit}",
      help: "Responds with 429 and Retry-After to calls over the limit.",
      parameters: [
        Parameter(name: "count", title: "Calls", example: "10", range: throttleCounts),
        Parameter(name: "unit", title: "Per second, minute or hour", example: "s", choices: ["s", "m", "h"]),
      ]),
    FaultKind(
      title: "Sequence", pattern: "{faults}",
      help: "Applies one fault to each call, in order, and none to later calls.",
      parameters: [Parameter(name: "faults", title: "Faults, separated by commas", example: "503,503,200")]),
  ]

  private static let delay = Parameter(
    name: "milliseconds", title: "Delay, in milliseconds", example: "50", range: latencies)

  private static func spread(_ title: String) -> Parameter {
    Parameter(name: "spread", title: title, example: "20", range: latencies)
  }

  /// The kind with the examples of its parameters: `429 retry-after 3`.
  var example: String {
    parameters.reduce(pattern) { $0.replacing("{\($1.name)}", with: $1.example) }
  }
}
