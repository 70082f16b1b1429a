package import NovaCore

/// A call whose request is already a message, because it did not arrive as HTTP/JSON.
///
/// It passes the same steps as a call over HTTP: faults, stubs, rules, idempotency keys, and the log. A class, so that
/// calls over HTTP carry one empty reference through these steps.
package final class MessageCall: Sendable {
  let rpc: RPCDescriptor
  let head: HTTPRequest
  let message: Result<any ProtoMessage, MockFailure>
  let size: Int
  let transcoder: MessageTranscoder

  /// - Parameters:
  ///   - rpc: the RPC.
  ///   - head: the path, the headers, and the limits of waits. Its body does not matter.
  ///   - message: the request message, or why it cannot be decoded.
  ///   - size: the size of the message as it was received, in bytes.
  ///   - transcoder: how the response is written.
  package init(
    _ rpc: RPCDescriptor, head: HTTPRequest, message: Result<any ProtoMessage, MockFailure>, size: Int,
    transcoder: MessageTranscoder
  ) {
    (self.rpc, self.head, self.message) = (rpc, head, message)
    (self.size, self.transcoder) = (size, transcoder)
  }
}

/// How the responses of ``MessageCall``s are written.
package struct MessageTranscoder: Sendable {
  /// The name of the protocol, for the log: `gRPC`.
  let name: String
  /// Writes a response message.
  let encode: @Sendable (any ProtoMessage) throws -> [UInt8]
  /// Writes an item of a stream of events; empty for nothing.
  let encodeItem: @Sendable (EventItem) -> [UInt8]
  /// Writes that events before a position are gone.
  let encodeReset: @Sendable (_ position: String) -> [UInt8]

  /// The header that names the position at which a stream of events begins.
  package static let positionHeader = "nova-event-position"

  package init(
    name: String, encode: @escaping @Sendable (any ProtoMessage) throws -> [UInt8],
    encodeItem: @escaping @Sendable (EventItem) -> [UInt8], encodeReset: @escaping @Sendable (String) -> [UInt8]
  ) {
    (self.name, self.encode) = (name, encode)
    (self.encodeItem, self.encodeReset) = (encodeItem, encodeReset)
  }

  /// Writes the items of a stream with a fault.
  func encoding(with fault: FaultPlan) -> @Sendable (EventItem) -> [UInt8] {
    guard fault.outcome == .duplicate else { return encodeItem }
    return { item in
      let bytes = encodeItem(item)
      return if case .event = item { bytes + bytes } else { bytes }
    }
  }
}

/// The response to a ``MessageCall``.
package struct MessageReply: Sendable {
  /// With the encoded message or stream of events as the body; otherwise with JSON, as over HTTP.
  package let response: HTTPResponse
  package let isEncoded: Bool
  /// Why the call failed, if a rule of the backend refused it.
  package let failure: MockFailure?
  /// What is wrong with the frames of the response.
  package let fault: FrameFault?
}

/// What faults do to a call that is about to arrive.
package struct PlannedFaults: Sendable {
  let plan: Result<FaultPlan, MockFailure>

  /// Whether the request is not to be read.
  package var stallsWindow: Bool {
    if case .success(let plan) = plan { plan.outcome == .frames(.stalledWindow) } else { false }
  }
}

extension MockBackend {
  /// Decides what faults do to a call, once its headers have arrived.
  package func planFaults(
    of rpc: RPCDescriptor, _ head: HTTPRequest, clock: any CallClock = ContinuousClock()
  ) -> PlannedFaults {
    PlannedFaults(
      plan: Result { () throws(MockFailure) in
        try faultPlan(header: head.headers["Nova-Fault"], service: rpc.service, name: rpc.id, at: clock.moment) {
          RequestKey(head: head, name: rpc.id)
        }
      })
  }

  /// Responds to a call, as ``answer(_:clock:)`` responds to a request over HTTP.
  ///
  /// - Throws: ``FrameFault`` or ``TransportError`` if a fault prevents a response; `CancellationError`.
  package nonisolated(nonsending) func answer(
    _ call: MessageCall, faults: PlannedFaults, clock: any CallClock = ContinuousClock()
  ) async throws -> MessageReply {
    var (isEncoded, failure, fault) = (false, MockFailure?.none, FrameFault?.none)
    let response = try await faulted(IncomingCall(call, clock: clock), planned: faults) { call in
      var response = call.encode(try await stubbed(&call))
      if case .frames(let frames) = call.fault.outcome { fault = frames }
      (isEncoded, failure) = (call.isEncoded, call.failure)
      switch call.fault.outcome {
      // Made when the event is written.
      case .duplicate: break
      // There is no body to cut.
      case .cut where !call.isEncoded: throw call.fault.connectionLost
      default: call.fault.damage(&response, of: call)
      }
      return response
    }
    return MessageReply(response: response, isEncoded: isEncoded, failure: failure, fault: fault)
  }
}
