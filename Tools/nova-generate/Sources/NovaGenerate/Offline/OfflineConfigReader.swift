/// Reads the section `offline`; a key it does not know is an error.
struct OfflineConfigReader {
  let section: Section

  func read() throws -> OfflineConfig {
    try section.allow([
      "records", "parts", "relations", "lists", "counts", "time_to_live", "reads", "never_stored", "writes",
      "never_queued", "events",
    ])
    var config = OfflineConfig(file: section.file)
    if section.has("time_to_live") { config.timeToLive = try section.integer("time_to_live") }
    config.records = try section.list("records").map(record)
    config.parts = try section.list("parts").map(part)
    config.relations = try section.list("relations").map(relation)
    config.lists = try section.list("lists").map(collection)
    config.counts = try section.list("counts").map(collection)
    config.reads = try section.list("reads").map(read)
    config.writes = try section.list("writes").map(write)
    config.neverStored = try section.list("never_stored").map { try exception($0, keys: []) }
    config.neverQueued = try section.list("never_queued").map { try exception($0, keys: ["expires"]) }
    config.events = try section.list("events").map(event)
    return config
  }

  private func record(_ entry: Section) throws -> OfflineConfig.Record {
    try entry.allow(["message", "id", "parent", "listed_in", "counted_by", "counts"])
    return OfflineConfig.Record(
      place: place(entry), message: try entry.required("message"), id: try entry.text("id") ?? "id",
      parent: try entry.text("parent"), listedIn: try names("listed_in", in: entry, canHaveEnd: true),
      countedBy: try names("counted_by", in: entry), counts: try fields("counts", in: entry))
  }

  private func part(_ entry: Section) throws -> OfflineConfig.Part {
    try entry.allow(["message", "of", "fields", "counts"])
    return OfflineConfig.Part(
      place: place(entry), message: try entry.required("message"), whole: try entry.required("of"),
      fields: try entry.pairs("fields").map { (own: $0.key, whole: $0.value) }, counts: try fields("counts", in: entry))
  }

  private func relation(_ entry: Section) throws -> OfflineConfig.Relation {
    try entry.allow(["name", "a", "b", "of_a", "of_b", "visibility"])
    let visibility = try entry.oneOrMore("visibility").map { text in
      guard let change = OfflineConfig.RelationChange(rawValue: text) else {
        throw entry.error("has the visibility \"\(text)\"; expected set or cleared")
      }
      return change
    }
    return OfflineConfig.Relation(
      place: place(entry), name: try entry.required("name"), a: try entry.required("a"), b: try entry.required("b"),
      ofA: try entry.text("of_a"), ofB: try entry.text("of_b"), visibility: visibility)
  }

  private func collection(_ entry: Section) throws -> OfflineConfig.Collection {
    try entry.allow(["name", "of"])
    return OfflineConfig.Collection(
      place: place(entry), name: try name(try entry.required("name"), in: entry), subject: try entry.text("of"))
  }

  private func read(_ entry: Section) throws -> OfflineConfig.Read {
    try entry.allow(["rpc", "time_to_live", "relations", "counts", "records", "exists", "page", "whole", "shares"])
    let pages = try fields("page", in: entry)
    guard pages.count <= 1 else { throw entry.error("has two pages; an answer has at most one") }
    return OfflineConfig.Read(
      place: place(entry), rpc: try entry.required("rpc"),
      timeToLive: entry.has("time_to_live") ? try entry.integer("time_to_live") : nil,
      relations: try fields("relations", in: entry), counts: try fields("counts", in: entry),
      records: try fields("records", in: entry), exists: try fields("exists", in: entry), page: pages.first,
      isWhole: try entry.flag("whole") ?? false, shares: try entry.oneOrMore("shares"))
  }

  private func write(_ entry: Section) throws -> OfflineConfig.Write {
    try entry.allow([
      "rpc", "sets", "clears", "creates", "updates", "removes", "with", "counts", "raises", "expires", "undone_by",
      "about", "check", "same",
    ])
    return OfflineConfig.Write(
      place: place(entry), rpc: try entry.required("rpc"), sets: try names("sets", in: entry),
      clears: try names("clears", in: entry), creates: try entry.text("creates"),
      updates: try entry.text("updates").map { try name($0, in: entry) },
      removes: try entry.text("removes").map { try name($0, in: entry) },
      with: try entry.pairs("with").map { pair in
        guard let value = FactValue(pair.value) else {
          throw entry.error("has \(pair.key): \"\(pair.value)\"; expected a field, =text or now")
        }
        return (pair.key, value)
      },
      counts: try fields("counts", in: entry), raises: try names("raises", in: entry),
      expires: try entry.oneOrMore("expires"), opposite: try entry.text("undone_by"),
      about: try names("about", in: entry), check: try entry.text("check"), same: try entry.oneOrMore("same"))
  }

  private func event(_ entry: Section) throws -> OfflineConfig.Event {
    try entry.allow(["type", "sets", "clears", "counts", "doubts", "expires"])
    let fact = { (key: String) in try entry.text(key).map { try name($0, in: entry) } }
    return OfflineConfig.Event(
      place: place(entry), type: try entry.required("type"), sets: try fact("sets"), clears: try fact("clears"),
      counts: try fields("counts", in: entry), doubts: try fact("doubts"), expires: try entry.oneOrMore("expires"))
  }

  private func exception(_ entry: Section, keys: [String]) throws -> OfflineConfig.Exception {
    try entry.allow(["rpc", "reason"] + keys)
    guard try !entry.required("reason").isEmpty else { throw entry.error("needs a reason") }
    return OfflineConfig.Exception(
      place: place(entry), rpc: try entry.required("rpc"), expires: try entry.oneOrMore("expires"))
  }

  private func place(_ entry: Section) -> OfflineConfig.Place {
    OfflineConfig.Place(file: entry.file, text: "offline \(entry.place)")
  }

  private func fields(_ key: String, in entry: Section) throws -> [OfflineConfig.NamedField] {
    try entry.pairs(key).map { pair in
      OfflineConfig.NamedField(field: pair.key, name: try name(pair.value, in: entry))
    }
  }

  private func names(_ key: String, in entry: Section, canHaveEnd: Bool = false) throws -> [FactName] {
    try entry.oneOrMore(key).map { try name($0, in: entry, canHaveEnd: canHaveEnd) }
  }

  private func name(_ text: String, in entry: Section, canHaveEnd: Bool = false) throws -> FactName {
    guard let name = FactName(text), canHaveEnd || name.end == nil, !name.keys.contains(.now) else {
      throw entry.error("has the name \"\(text)\"; expected a form like likers[post_id]")
    }
    return name
  }
}
