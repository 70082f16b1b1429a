package import NovaCore
import NovaEvents

/// What becomes of a request for events over a WebSocket connection.
package enum EventHandshake: Sendable {
  case refused(HTTPResponse)
  /// The connection has the fault, if there is one.
  case accepted(EventSubscriber, StreamFault?)
}

extension MockBackend {
  /// Responds to the handshake of a WebSocket connection for events like to StreamEvents, with its faults, and logs it.
  ///
  /// - Parameters:
  ///   - request: the handshake. Its limits end waits and hanging calls.
  ///   - clock: the clock for waits and heartbeats. Default: the system's.
  /// - Throws: ``TransportError`` if a fault prevents a response; `CancellationError`.
  package func answerEventHandshake(
    _ request: HTTPRequest, clock: any CallClock = ContinuousClock()
  ) async throws -> EventHandshake {
    let call = IncomingCall(request, routedAs: EventRPC.streamEvents.descriptor.http.path)
    let start = clock.moment
    func log(_ response: HTTPResponse?, fault: String?) {
      record(call, response, fault: fault, duration: start.duration(to: clock.moment), clock: clock)
    }
    let plan: FaultPlan?
    do throws(FaultRuleError) { plan = try faultPlan(of: call, at: start) } catch {
      let response = Self.unreadableFault(error)
      log(response, fault: nil)
      return .refused(response)
    }
    let handshake: EventHandshake?
    do {
      handshake = try await answer(call, plan: plan, clock: clock)
    } catch {
      log(nil, fault: plan?.name)
      throw error
    }
    log(handshake?.response, fault: plan?.name)
    if let handshake { return handshake }
    try await wait(for: nil, limits: request.limits, clock: clock)
    throw TransportError(.connectionLost, "the call hangs", requestMayHaveLeft: true)
  }

  /// Waits as the plan says, and responds; nil if the connection hangs.
  private func answer(
    _ call: IncomingCall, plan: FaultPlan?, clock: any CallClock
  ) async throws -> EventHandshake? {
    if let plan {
      try await wait(for: plan.wait, limits: call.request.limits, clock: clock)
      switch plan.outcome {
      case .status(let status, let retryAfter):
        let id = call.requestID
        return .refused(Self.fault(status, retryAfter: retryAfter, plan: plan, requestID: id))
      case .drop, .dropAfter: throw Self.dropped(plan)
      case .hang: return nil
      case .newEpoch: beginEventEpoch()
      default: break
      }
    }
    do throws(EventRefusal) {
      return .accepted(try subscription(headers: call.request.headers, clock: clock), plan?.outcome.ofSocket)
    } catch {
      return .refused(error.response)
    }
  }
}

extension EventHandshake {
  fileprivate var response: HTTPResponse {
    switch self {
    case .refused(let response): response
    case .accepted: HTTPResponse(status: 101)
    }
  }
}
