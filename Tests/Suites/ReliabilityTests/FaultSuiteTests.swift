import Foundation
import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

/// Every fault against a call of every effect, once and for good. What the caller has of it is the table in
/// docs/reliability.md.
@Suite(.hangLimit) struct FaultSuiteTests {
  private static let page = Checkout.root.appending(path: "docs/reliability.md")

  @Test func theTableIsWhatHappens() async throws {
    let rows = try await Self.rows()
    for row in rows {
      for (duration, outcomes) in row.outcomes {
        #expect(outcomes[.read] == outcomes[.idempotent], "\(row.name), \(duration)")
      }
    }
    let old = try String(contentsOf: Self.page, encoding: .utf8)
    var new = try FaultTable(rows: rows, kind: .http).replacing(in: old)
    #if GRPC
      new = try FaultTable(rows: try await Self.grpcRows(), kind: .grpc).replacing(in: new)
    #endif
    if ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1" { try Data(new.utf8).write(to: Self.page) }
    let page = try String(contentsOf: Self.page, encoding: .utf8)
    if page != new {
      Issue.record("run make faults, and look at what has changed:\n\(Self.changes(from: page, to: new))")
    }
  }

  /// The lines that only one of the pages has.
  private static func changes(from old: String, to new: String) -> String {
    let (old, new) = (old.split(separator: "\n"), new.split(separator: "\n"))
    return new.difference(from: old).map { change in
      switch change {
      case .remove(_, let line, _): "- \(line)"
      case .insert(_, let line, _): "+ \(line)"
      }
    }
    .joined(separator: "\n")
  }

  private static func rows() async throws -> [FaultRow] {
    var rows = try await inOrder(Fault.all) { fault in
      var row = try await row(fault.name, fault.summary) { try await $0.outcome(of: fault) }
      #if GRPC
        if let counterpart = FrameFault.counterpart(of: fault) {
          row.overGRPC = try await grpcOutcomes { try await $0.outcome(of: counterpart) }
        }
      #endif
      return row
    }
    rows += try await inOrder(TLSFault.allCases) { fault in
      let upstream = try FaultServer()
      defer { upstream.stop() }
      let nginx = try NginxServer(upstreamPort: upstream.port, fault: fault)
      defer { nginx.stop() }
      var row = try await row(fault.name, fault.summary) { try await $0.outcome(of: fault, nginx) }
      #if GRPC
        row.overGRPC = try await grpcOutcomes { try await $0.outcome(fault, nginx) }
      #endif
      #expect(upstream.requestCount == 0)
      return row
    }
    return rows
  }

  #if GRPC
    /// Faults that exist only over gRPC.
    private static func grpcRows() async throws -> [FaultRow] {
      try await inOrder(FrameFault.ofGRPC) { fault in
        let outcomes = try await grpcOutcomes { try await $0.outcome(of: fault) }
        var row = FaultRow(name: fault.name, summary: fault.summary, outcomes: outcomes)
        for duration in FaultDuration.allCases {
          row.streams[duration] = try await GRPCFaultRun(call: .read, duration: duration).streamOutcome(of: fault)
        }
        return row
      }
    }

    private static func grpcOutcomes(
      _ outcome: @escaping @Sendable (GRPCFaultRun) async throws -> FaultOutcome
    ) async throws -> FaultOutcomes {
      let runs = FaultDuration.allCases.flatMap { duration in
        [FaultCall.read, .write, .keyedWrite].map { GRPCFaultRun(call: $0, duration: duration) }
      }
      var outcomes: FaultOutcomes = [:]
      for (run, outcome) in zip(runs, try await inOrder(runs, outcome)) {
        outcomes[run.duration, default: [:]][run.call] = outcome
      }
      return outcomes
    }
  #endif

  private static func row(
    _ name: String, _ summary: String, outcome: @escaping @Sendable (FaultRun) async throws -> FaultOutcome
  ) async throws -> FaultRow {
    let runs = FaultDuration.allCases.flatMap { duration in
      FaultCall.allCases.map { FaultRun(call: $0, duration: duration) }
    }
    let outcomes = try await inOrder(runs, outcome)
    var row = FaultRow(name: name, summary: summary, outcomes: [:])
    for (run, outcome) in zip(runs, outcomes) { row.outcomes[run.duration, default: [:]][run.call] = outcome }
    return row
  }

  /// Runs `body` for some elements at a time; most of it is waiting.
  private static func inOrder<Element: Sendable, Result: Sendable>(
    _ elements: [Element], _ body: @escaping @Sendable (Element) async throws -> Result
  ) async throws -> [Result] {
    try await withThrowingTaskGroup(of: (Int, Result).self) { group in
      var results: [Int: Result] = [:]
      for (index, element) in elements.enumerated() {
        if index >= 8, let (index, result) = try await group.next() { results[index] = result }
        group.addTask { (index, try await body(element)) }
      }
      for try await (index, result) in group { results[index] = result }
      return elements.indices.compactMap { results[$0] }
    }
  }
}
