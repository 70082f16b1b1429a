package import NovaCore
import NovaEvents

/// What becomes of a request for events over a WebSocket connection.
package enum EventHandshake: Sendable {
  case refused(HTTPResponse)
  /// The connection has the fault, if there is one.
  case accepted(EventSubscriber, StreamFault?)
}

extension MockBackend {
  /// Responds to the handshake of a WebSocket connection for events like to StreamEvents, with its faults.
  ///
  /// - Parameters:
  ///   - request: the handshake. Its limits end waits and hanging calls.
  ///   - clock: the clock for waits and heartbeats. Default: the system's.
  /// - Throws: ``TransportError`` if a fault prevents a response; `CancellationError`.
  package func answerEventHandshake(
    _ request: HTTPRequest, clock: any CallClock = ContinuousClock()
  ) async throws -> EventHandshake {
    var request = request
    request.url = HTTPURL(received: EventRPC.streamEvents.descriptor.http.path)
    let call = IncomingCall(request)
    let plan: FaultPlan?
    do throws(FaultRuleError) { plan = try faultPlan(of: call, at: clock.now) } catch {
      return .refused(Self.unreadableFault(error))
    }
    if let plan, let failure = try await failure(of: call, plan: plan, clock: clock) { return .refused(failure) }
    do throws(EventRefusal) {
      return .accepted(try subscription(headers: request.headers, clock: clock), plan?.outcome.ofSocket)
    } catch {
      return .refused(error.response)
    }
  }

  /// Waits as the plan says, and does what it does to a call before its response.
  ///
  /// - Returns: the response in place of the call's own; nil for that.
  private func failure(of call: IncomingCall, plan: FaultPlan, clock: any CallClock) async throws -> HTTPResponse? {
    let limits = call.request.limits
    try await wait(for: plan.wait, limits: limits, clock: clock)
    switch plan.outcome {
    case .status(let status, let retryAfter):
      return Self.fault(status, retryAfter: retryAfter, plan: plan, requestID: call.request.headers["X-Request-ID"])
    case .drop, .dropAfter: throw Self.dropped(plan)
    case .hang:
      try await wait(for: nil, limits: limits, clock: clock)
      throw Self.dropped(plan)
    case .newEpoch: beginEventEpoch()
    default: break
    }
    return nil
  }
}
