import NovaCore
import NovaTesting

/// What a caller has of a call: an answer or an error's code, and after how many attempts.
struct FaultOutcome: Sendable, Hashable, CustomStringConvertible {
  var failure: APIError.Code?
  var attempts: Int

  init(_ report: CallReport) {
    failure = report.failure
    attempts = report.attempts.count
  }

  var description: String {
    let count = attempts == 1 ? "1 attempt" : "\(attempts) attempts"
    return failure.map { "`\($0)`, \(count)" } ?? "answer, \(count)"
  }
}

/// The calls that the suite makes: one of each effect, and the last one also against a gateway that recognizes its key.
enum FaultCall: String, CaseIterable, Sendable {
  case read, idempotent, write
  case keyedWrite

  var title: String {
    switch self {
    case .read: "read"
    case .idempotent: "idempotent write"
    case .write: "other write"
    case .keyedWrite: "other write, key recognized"
    }
  }

  var recognizesKeys: Bool { self == .keyedWrite }
}

/// How often the server misbehaves.
enum FaultDuration: CaseIterable, Sendable { case once, always }

/// What the suite found for a fault.
struct FaultRow: Sendable {
  var name: String
  var summary: String
  var outcomes: FaultOutcomes
  /// The same over gRPC; nil if gRPC has no such fault.
  var overGRPC: FaultOutcomes?
  /// What a reader of a stream over gRPC gets; empty for faults of which that is not tried.
  var streams: [FaultDuration: String] = [:]
}

typealias FaultOutcomes = [FaultDuration: [FaultCall: FaultOutcome]]
