/// Writes the rules of events.
struct OfflineEventEmitter {
  let names: OfflineNames

  func source() throws -> String {
    let events = names.config.events
    let modules = events.isEmpty ? nil : names.module(of: "Event")
    var source = SourceText(imports: [], internalImports: modules.map { [$0] } ?? [])
    source.add("", "extension OfflineRules {", "  /// The rules of events, in the order of `gateway.yaml`.")
    source.add("package static let events: [EventRule] = [", depth: 1)
    for event in events { source.add("\(constant(event)),", depth: 2) }
    source.add("]", depth: 1)
    var types: Set<String> = []
    for event in events {
      guard types.insert(event.type).inserted else { throw event.place.error("names \(event.type) again") }
      source.add("")
      try add(event, to: &source)
    }
    source.add("}")
    return source.text
  }

  /// `follow.created` → `followCreated`
  private func constant(_ event: OfflineConfig.Event) -> String {
    SwiftNames.lowerCamelCase(event.type.replacing(".", with: "_"))
  }

  private func add(_ event: OfflineConfig.Event, to source: inout SourceText) throws {
    let place = event.place
    let facts = FactSource(
      names: names, root: "event", message: try names.message("Event", at: place), place: place)
    var arguments = ["type: \(SwiftNames.literal(event.type))"]
    if event.sets != nil, event.clears != nil { throw place.error("sets and clears a relation; an event has one") }
    if let relation = event.sets ?? event.clears {
      arguments.append("relation: { event in \(try facts.relation(relation)) }, isRelated: \(event.sets != nil)")
    }
    if !event.counts.isEmpty {
      let counts = try event.counts.map { entry in
        "(field: \(SwiftNames.literal(entry.field)), name: { event in \(try facts.count(entry.name)) })"
      }
      arguments.append("counts: [\(counts.joined(separator: ", "))]")
    }
    if let list = event.doubts {
      try names.requireSubject(list, at: place)
      let subject = try list.keys.first.map { "{ event in \(try facts.key($0)) }" } ?? "nil"
      arguments.append("doubts: (list: \(SwiftNames.literal(list.kind)), subject: \(subject))")
    }
    if !event.expires.isEmpty {
      _ = try names.expiry(event.expires, at: place)
      arguments.append("expires: [\(event.expires.map(SwiftNames.literal).joined(separator: ", "))]")
    }
    guard arguments.count > 1 else { throw place.error("changes nothing") }
    source.add("private static let \(constant(event)) = EventRule(", depth: 1)
    for (index, argument) in arguments.enumerated() {
      source.add(argument + (index == arguments.count - 1 ? ")" : ","), depth: 2)
    }
  }
}
