/// What the names in the section `offline` stand for: RPCs, messages, fields, relations, lists and counts.
struct OfflineNames {
  typealias Place = OfflineConfig.Place

  let config: OfflineConfig
  /// RPCs by the id that people use: `graph.GetFollowers`.
  let calls: [String: OfflineCall]
  /// Messages by their Swift names.
  private let messages: [String: (message: Message, package: Package)]
  /// The number of keys of lists and counts.
  private let lists: [String: Int]
  private let counts: [String: Int]
  /// What relations, lists and counts are about: a record's kind.
  let subjects: [String: String]

  init(contract: Contract, config: OfflineConfig) throws {
    self.config = config
    var calls: [String: OfflineCall] = [:]
    var messages: [String: (message: Message, package: Package)] = [:]
    for package in contract.packages {
      for message in package.messages { messages[message.name] = (message, package) }
      for method in package.service?.methods ?? [] {
        guard let request = contract.message(named: method.request),
          let response = contract.message(named: method.response)
        else { continue }
        let call = OfflineCall(package: package, method: method, request: request, response: response)
        calls[call.id] = call
      }
    }
    self.calls = calls
    self.messages = messages
    var collections = Collections()
    for relation in config.relations { try collections.add(relation) }
    for list in config.lists { try collections.add(list: list) }
    for count in config.counts { try collections.add(count: count) }
    (lists, counts, subjects) = (collections.lists, collections.counts, collections.subjects)
    for place in collections.places where record(place.kind) == nil {
      throw place.place.error("is about \(place.kind), which is not one of the records")
    }
  }

  func record(_ message: String) -> OfflineConfig.Record? { config.records.first { $0.message == message } }

  func part(_ message: String) -> OfflineConfig.Part? { config.parts.first { $0.message == message } }

  func relation(_ name: String) -> OfflineConfig.Relation? { config.relations.first { $0.name == name } }

  func call(_ id: String, at place: Place) throws -> OfflineCall {
    guard let call = calls[id] else { throw place.error("has \"\(id)\", which is not an RPC") }
    return call
  }

  func message(_ name: String, at place: Place) throws -> Message {
    guard let found = messages[name] else { throw place.error("has \(name), which is not a message") }
    return found.message
  }

  /// The module that declares a message.
  func module(of message: String) -> String? { messages[message]?.package.module.name }

  func field(_ name: String, of message: Message, at place: Place) throws -> Field {
    guard let field = message.fields.first(where: { $0.name == name }) else {
      throw place.error("has \(name), which is not a field of \(message.name)")
    }
    return field
  }

  func requireList(_ name: FactName, at place: Place) throws {
    try require(name, keys: lists[name.kind], what: "list", at: place)
  }

  func requireCount(_ name: FactName, at place: Place) throws {
    try require(name, keys: counts[name.kind], what: "count", at: place)
  }

  func requireRelation(_ name: FactName, at place: Place) throws {
    try require(name, keys: relation(name.kind).map { _ in 2 }, what: "relation", at: place)
  }

  func requireRecord(_ name: FactName, at place: Place) throws {
    try require(name, keys: record(name.kind).map { _ in 1 }, what: "record", at: place)
  }

  /// Anything that writes can be about; of a list, the first key is enough.
  func requireSubject(_ name: FactName, at place: Place) throws {
    if record(name.kind) != nil { return try requireRecord(name, at: place) }
    if relation(name.kind) != nil { return try requireRelation(name, at: place) }
    guard let keys = lists[name.kind], name.keys.count == min(1, keys) else {
      throw place.error("has \(name.kind), which is no record, relation or list with its first key")
    }
  }

  private func require(_ name: FactName, keys: Int?, what: String, at place: Place) throws {
    guard let keys else { throw place.error("has \(name.kind), which is not one of the \(what)s") }
    guard name.keys.count == keys else {
      throw place.error("has \(name.keys.count) keys for the \(what) \(name.kind), which has \(keys)")
    }
  }
}

/// Collects the lists and counts that are declared, and those that relations make.
private struct Collections {
  var lists: [String: Int] = [:]
  var counts: [String: Int] = [:]
  var subjects: [String: String] = [:]
  var places: [(kind: String, place: OfflineConfig.Place)] = []
  /// By name, what has been said so far.
  private var declared: [String: String?] = [:]

  mutating func add(_ relation: OfflineConfig.Relation) throws {
    try set(relation.name, about: relation.b, at: relation.place, isNew: true)
    places.append((relation.a, relation.place))
    for (name, key) in [(relation.ofA, relation.a), (relation.ofB, relation.b)] {
      guard let name else { continue }
      guard lists.updateValue(1, forKey: name) == nil else {
        throw relation.place.error("names the list \(name) again")
      }
      counts[name] = 1
      // A relation and a list of it may have one name.
      if name != relation.name { try set(name, about: key, at: relation.place, isNew: true) }
    }
  }

  mutating func add(list: OfflineConfig.Collection) throws {
    guard lists.updateValue(list.name.keys.count, forKey: list.name.kind) == nil else {
      throw list.place.error("names the list \(list.name.kind) again")
    }
    try set(list.name.kind, about: list.subject, at: list.place, isNew: false)
  }

  mutating func add(count: OfflineConfig.Collection) throws {
    guard counts.updateValue(count.name.keys.count, forKey: count.name.kind) == nil else {
      throw count.place.error("names the count \(count.name.kind) again")
    }
    try set(count.name.kind, about: count.subject, at: count.place, isNew: false)
  }

  private mutating func set(
    _ name: String, about kind: String?, at place: OfflineConfig.Place, isNew: Bool
  ) throws {
    if let other = declared[name], isNew || other != kind {
      throw place.error("is about \(kind ?? "nothing"), but \(name) is about \(other ?? "nothing") elsewhere")
    }
    declared[name] = .some(kind)
    guard let kind else { return }
    subjects[name] = kind
    places.append((kind, place))
  }
}

/// An RPC with its messages.
struct OfflineCall {
  let package: Package
  let method: Method
  let request: Message
  let response: Message

  /// `graph.GetFollowers`
  var id: String { "\(package.shortName).\(method.name)" }
  /// `GraphRPC.getFollowers`
  var source: String { "\(package.swiftName)RPC.\(method.swiftName)" }
  /// `graphGetFollowers`
  var constant: String { SwiftNames.lowercasedFirst(package.swiftName) + method.name }
  var isRead: Bool { method.effect == "noSideEffects" }
}
