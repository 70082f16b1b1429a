package import NovaCore

extension MockBackend {
  /// Decides the faults of an upload's request before its bytes arrive, if they may limit its bandwidth.
  package func limitBandwidth(
    of chunk: IncomingChunk, _ request: HTTPRequest, clock: any CallClock = ContinuousClock()
  ) {
    performDueActions()
    let isLimited = request.headers["Nova-Fault"].map { $0.contains("bandwidth") } ?? limitsUploads
    guard isLimited else { return }
    let name = MediaTransfer.upload.rawValue
    chunk.planned = PlannedFaults(
      plan: Result { () throws(MockFailure) in
        try faultPlan(header: request.headers["Nova-Fault"], service: "media", name: name, at: clock.moment) {
          RequestKey(head: request, name: name)
        }
      })
  }
}

extension IncomingChunk {
  private var lines: [BandwidthLine] {
    guard case .success(let plan)? = planned?.plan else { return [] }
    return plan.limits.compactMap(\.up)
  }

  /// Whether the bytes arrive over a line with limited bandwidth.
  package var isLimited: Bool { !lines.isEmpty }

  /// How long bytes that have arrived take on a line with limited bandwidth; nil without one. Read no more until then.
  package func pause(after count: Int, clock: any CallClock = ContinuousClock()) -> Duration? {
    let lines = lines
    if lines.isEmpty { return nil }
    let now = clock.moment
    return now.duration(to: lines.send(count, at: now))
  }

  /// Takes the next bytes once they have arrived.
  nonisolated(nonsending) func receive(_ bytes: [UInt8], clock: any CallClock) async throws {
    if let pause = pause(after: bytes.count, clock: clock) {
      try await clock.sleep(until: clock.now.advanced(by: pause), tolerance: nil)
    }
    append(bytes)
  }
}
