/// Checks that every RPC is named once, where it belongs, and that nothing secret is stored.
struct OfflineCheck {
  let contract: Contract
  let names: OfflineNames

  private var config: OfflineConfig { names.config }

  func run() throws {
    try everyRPCOnce()
    for entry in config.reads { try secrets(names.call(entry.rpc, at: entry.place), entry.place) }
    for entry in config.writes { try secrets(names.call(entry.rpc, at: entry.place), entry.place) }
    try opposites()
  }

  private func everyRPCOnce() throws {
    let reads = config.reads.map { ($0.rpc, $0.place) } + config.neverStored.map { ($0.rpc, $0.place) }
    let writes = config.writes.map { ($0.rpc, $0.place) } + config.neverQueued.map { ($0.rpc, $0.place) }
    var seen: Set<String> = []
    for (entries, isRead) in [(reads, true), (writes, false)] {
      for (rpc, place) in entries {
        guard try names.call(rpc, at: place).isRead == isRead else {
          throw place.error(
            isRead
              ? "has \(rpc), which has effects: writes or never_queued is the place for it"
              : "has \(rpc), which has no side effects: reads or never_stored is the place for it")
        }
        guard seen.insert(rpc).inserted else { throw place.error("names \(rpc) again") }
      }
    }
    if let call = names.calls.values.filter({ !seen.contains($0.id) }).min(by: { $0.id < $1.id }) {
      let sections = call.isRead ? "reads or never_stored" : "writes or never_queued"
      throw GenerationError(
        file: config.file, place: "offline", reason: "does not name \(call.id); it belongs under \(sections)")
    }
  }

  /// Stored messages are in files.
  private func secrets(_ call: OfflineCall, _ place: OfflineConfig.Place) throws {
    for message in [call.request, call.response] {
      var seen: Set<String> = []
      if let field = try secret(in: message, &seen, at: place) {
        throw place.error("would store the secret field \(field) of \(call.id)")
      }
    }
  }

  private func secret(in message: Message, _ seen: inout Set<String>, at place: OfflineConfig.Place) throws -> String? {
    guard seen.insert(message.name).inserted else { return nil }
    for field in message.fields {
      if field.isSecret { return "\(message.name).\(field.name)" }
      guard field.type.kind.hasPrefix(".message") else { continue }
      if let found = try secret(in: names.message(field.type.swift, at: place), &seen, at: place) { return found }
    }
    return nil
  }

  /// A write and the one that undoes it set the same relation, one to true and one to false.
  private func opposites() throws {
    for write in config.writes {
      guard let id = write.opposite else { continue }
      guard let opposite = config.writes.first(where: { $0.rpc == id }), opposite.opposite == write.rpc else {
        throw write.place.error("is undone by \(id), which is not undone by \(write.rpc)")
      }
      guard let own = write.relation, let other = opposite.relation, own.name.kind == other.name.kind,
        own.isRelated != other.isRelated
      else { throw write.place.error("is undone by \(id), but the two do not set and clear one relation") }
    }
  }
}

extension OfflineConfig.Write {
  /// The relation that the write is about, and whether it holds afterwards.
  var relation: (name: FactName, isRelated: Bool)? {
    sets.first.map { ($0, true) } ?? clears.first.map { ($0, false) }
  }
}
