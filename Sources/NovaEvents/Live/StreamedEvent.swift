package import NovaCore

/// What the JSON in a stream is to a subscription. Server-sent events, lists and lines of JSON have one rule.
package enum StreamedEvent {
  case event(Event)
  /// Meant as an event, but in a form that cannot be read.
  case unreadable
  /// Neither an event nor a failure: what a heartbeat contains, for example.
  ///
  /// - isEmpty: whether it says nothing at all.
  case nothing(isEmpty: Bool)

  private static let rpc = EventRPC.streamEvents.descriptor
  private static let envelope = StreamEnvelope(of: rpc)

  /// - Parameters:
  ///   - json: an object.
  ///   - type: what the stream calls it; nil without a name. An event can have its type there.
  ///   - status: that of the response.
  /// - Throws: the failure that it reports, or that it is no gateway's.
  package init(_ json: [UInt8], named type: String? = nil, status: Int) throws(APIError) {
    let content = try Self.envelope.message(in: json, status: status)
    let isEnveloped = content != json
    let members = ((try? JSONValue(jsonUTF8: content))?.memberList ?? []).filter { $0.value != .null }
    guard var event = try? Event(jsonUTF8: content) else {
      self = .unreadable
      return
    }
    let known = Set(members.compactMap { Event.descriptor.field(named: $0.name)?.name })
    // A problem has a type, too. A status beside a type can be that of what the event is about.
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

  /// The failure that an event named `error` reports, which may be any text.
  static func failure(_ text: String, status: Int) -> APIError {
    let json = try? JSONValue(jsonUTF8: Array(text.utf8))
    let message = json?["message"]?.stringValue ?? json?["detail"]?.stringValue ?? text
    let shown = message.printable(to: 4_000)
    return APIError(
      .serverError, "the gateway reports a failure on the stream\(shown.isEmpty ? "" : ": \(shown)")", rpc: rpc.id,
      httpStatus: status)
  }
}
