import NovaCore

/// The script of a ``FaultServer``'s connections.
final class FaultScript: Sendable {
  private struct State {
    var origin = ""
    var otherOrigin = ""
    var next = 0
  }

  let steps: [FaultServer.Step]
  let ledger: ExecutionLedger
  private let repeatsLast: Bool
  private let clock: any CallClock
  private let state = Locked(State())

  init(
    _ steps: [FaultServer.Step], repeatsLast: Bool, clock: any CallClock, ledger: ExecutionLedger
  ) {
    self.steps = steps
    self.repeatsLast = repeatsLast
    self.clock = clock
    self.ledger = ledger
  }

  var stepsTaken: Int { state.withLock { $0.next } }

  /// Sets the origins. Call it once, before the first connection.
  func start(origin: String, otherOrigin: String) {
    state.withLock { ($0.origin, $0.otherOrigin) = (origin, otherOrigin) }
  }

  /// Ends the step that refuses connections; returns false if it was not active.
  func endRefusal() -> Bool {
    state.withLock { state in
      guard state.next == 0, steps.first?.refuses == true else { return false }
      state.next = 1
      return true
    }
  }

  /// Takes the next step if it satisfies `isDue`.
  private func take(if isDue: (FaultServer.Step) -> Bool = { _ in true }) -> FaultServer.Step? {
    state.withLock { state in
      let index = repeatsLast ? min(state.next, steps.count - 1) : state.next
      guard steps.indices.contains(index), !steps[index].refuses, isDue(steps[index]) else { return nil }
      state.next += 1
      return steps[index]
    }
  }

  func serve(_ connection: RawConnection) throws {
    if let fault = take(if: \.strikesConnections)?.fault { return try strike(fault, connection) }
    while let head = try connection.readHead() {
      let step = isLoop(head) ? .fault(.redirectLoop) : take() ?? .healthy
      if step.strikesConnections, let fault = step.fault { return try strike(fault, connection) }
      guard try serve(head, step: step, on: connection) == .open else { return }
    }
  }

  /// Serves the other origin, which has no faults.
  func serveOtherOrigin(_ connection: RawConnection) throws {
    while let head = try connection.readHead() {
      guard try serve(head, step: .healthy, on: connection) == .open else { return }
    }
  }

  private func serve(
    _ head: RawRequest, step: FaultServer.Step, on connection: RawConnection
  ) throws -> Fault.Ending {
    let request = try read(head, connection)
    let ending: Fault.Ending
    if step.fault?.moment == .requestedAgain {
      guard try answer(request, step: .healthy, on: connection) == .open, let head = try connection.readHead() else {
        return .closed
      }
      ending = try answer(try read(head, connection), step: step, on: connection)
    } else {
      ending = try answer(request, step: step, on: connection)
    }
    return request.headers["Connection"]?.equalsIgnoringASCIICase("close") == true ? .closed : ending
  }

  private func read(_ head: RawRequest, _ connection: RawConnection) throws -> HTTPRequest {
    if head.header("Expect")?.equalsIgnoringASCIICase("100-continue") == true {
      try connection.write("HTTP/1.1 100 Continue\r\n\r\n")
    }
    return HTTPRequest(try connection.readBody(of: head))
  }

  private func answer(
    _ request: HTTPRequest, step: FaultServer.Step, on connection: RawConnection
  ) throws -> Fault.Ending {
    let answer = step.executes ? ledger.execute(request) : .json(200, "{}")
    let exchange = exchange(on: connection, for: request, answer: answer)
    switch step.action {
    case .healthy: return try exchange.send(answer)
    case .answer(let answer): return try exchange.send(answer)
    case .fault(let fault): return try fault.script(exchange)
    }
  }

  private func strike(_ fault: Fault, _ connection: RawConnection) throws {
    _ = try fault.script(exchange(on: connection, for: nil, answer: .json(200, "{}")))
  }

  private func exchange(
    on connection: RawConnection, for request: HTTPRequest?, answer: HTTPResponse
  ) -> FaultExchange {
    let (origin, otherOrigin) = state.withLock { ($0.origin, $0.otherOrigin) }
    return FaultExchange(
      connection: connection, request: request, answer: answer, now: clock.unixTime, origin: origin,
      otherOrigin: otherOrigin)
  }

  private func isLoop(_ head: RawRequest) -> Bool {
    head.requestLine.split(separator: " ").dropFirst().first?.hasPrefix(Fault.loopPath) == true
  }
}
