package import NovaCore

/// What a JSON object in a stream means, by one rule for server-sent events, lists, and lines of JSON.
package enum StreamedEvent {
  case event(Event)
  /// An event in an unreadable form.
  case unreadable
  /// Neither an event nor a failure, for example a heartbeat.
  ///
  /// - isEmpty: whether the object has no members.
  case nothing(isEmpty: Bool)

  private static let rpc = EventRPC.streamEvents.descriptor
  private static let envelope = StreamEnvelope(of: rpc)

  /// - Parameters:
  ///   - json: the object.
  ///   - type: the name that the stream gives the object, which may be the event's type; nil without a name.
  ///   - status: the status of the response.
  /// - Throws: ``APIError`` if the object reports a failure, or is not from a gateway.
  package init(_ json: [UInt8], named type: String? = nil, status: Int) throws(APIError) {
    let content = try Self.envelope.message(in: json, status: status)
    let isEnveloped = content != json
    let members = ((try? JSONValue(jsonUTF8: content))?.memberList ?? []).filter { $0.value != .null }
    guard var event = try? Event(jsonUTF8: content) else {
      self = .unreadable
      return
    }
    let known = Set(members.compactMap { Event.descriptor.field(named: $0.name)?.name })
    // Problem details also have a type. If the object has a type, its status may be part of an event.
    let signs: Set<OutcomeSign> = known.isEmpty ? [.failure, .failedStatus, .description] : [.failure, .description]
    if known.isSubset(of: ["type"]), OutcomeSign.isFailure(members, by: signs) {
      throw APIError.notEvents("JSON without the id or the type of an event", rpc: Self.rpc.id)
    }
    if !known.isEmpty, event.type.isEmpty, let type { event.type = type }
    if !event.id.isEmpty || !event.type.isEmpty {
      self = .event(event)
    } else {
      self = .nothing(isEmpty: members.isEmpty && !isEnveloped)
    }
  }

  /// The failure that an event named `error` reports. Its text may have any form.
  static func failure(_ text: String, status: Int) -> APIError {
    let json = try? JSONValue(jsonUTF8: Array(text.utf8))
    let message = json?["message"]?.stringValue ?? json?["detail"]?.stringValue ?? text
    let shown = message.printable(to: 4_000)
    return APIError(
      .serverError, "the gateway reports a failure on the stream", reason: shown.isEmpty ? nil : shown, rpc: rpc.id,
      httpStatus: status)
  }
}
