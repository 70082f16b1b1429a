import NovaCore

/// A value in the file of a shard, with its place.
struct ShardReader {
  private let value: JSONValue?
  private let place: String

  private init(_ value: JSONValue?, at place: String) { (self.value, self.place) = (value, place) }

  /// Reads the file of a shard of some kind: `nova-contract-check-shard/1`.
  init(_ bytes: [UInt8], kind: String) throws(ContractShardError) {
    do throws(ProtoJSONError) {
      self.init(try JSONValue(jsonUTF8: bytes), at: "")
    } catch {
      throw ContractShardError(
        "it is incomplete, or not a shard: invalid JSON at \(error.line):\(error.column), expected \(error.expected), "
          + "found \(error.found); run the shard again")
    }
    let found = value?["kind"]?.stringValue ?? ""
    guard found != kind else { return }
    let family = kind.prefix { $0 != "/" }
    if found.hasPrefix("\(family)/") {
      throw ContractShardError("another version of nova wrote it; run the shard again")
    }
    throw ContractShardError("it is not a shard; pass only files that --shard wrote")
  }

  /// The kind of a file; nil if it is no JSON object with one.
  static func kind(of bytes: [UInt8]) -> String? { (try? JSONValue(jsonUTF8: bytes))?["kind"]?.stringValue }

  subscript(name: String) -> ShardReader {
    ShardReader(value?[name], at: place.isEmpty ? name : "\(place).\(name)")
  }

  var isAbsent: Bool { value == nil }

  var text: String {
    get throws(ContractShardError) {
      guard let text = value?.stringValue else { throw failure("a text") }
      return text
    }
  }

  var number: Int {
    get throws(ContractShardError) {
      guard let number = value?.integerValue else { throw failure("a number") }
      return number
    }
  }

  var bool: Bool {
    get throws(ContractShardError) {
      guard case .bool(let bool) = value else { throw failure("true or false") }
      return bool
    }
  }

  var texts: [String] {
    get throws(ContractShardError) { try list { value throws(ContractShardError) in try value.text } }
  }

  var members: [String: String] {
    get throws(ContractShardError) {
      guard case .object(let members) = value else { throw failure("an object") }
      var texts: [String: String] = [:]
      for member in members { texts[member.name] = try self[member.name].text }
      return texts
    }
  }

  var shard: WorkShard {
    get throws(ContractShardError) {
      guard let shard = try? WorkShard(parsing: self["shard"].text) else {
        throw self["shard"].failure("a shard such as 2/4")
      }
      return shard
    }
  }

  func name<Name: RawRepresentable<String> & CaseIterable>() throws(ContractShardError) -> Name {
    guard let name = Name(rawValue: try text) else {
      throw failure("one of \(Name.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return name
  }

  func list<Element>(
    _ read: (ShardReader) throws(ContractShardError) -> Element
  ) throws(ContractShardError) -> [Element] {
    guard case .array(let values) = value else { throw failure("a list") }
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      elements.append(try read(ShardReader(value, at: "\(place)[\(index)]")))
    }
    return elements
  }

  private func failure(_ expected: String) -> ContractShardError {
    ContractShardError(
      "\(place) is \(value?.kindDescription ?? "missing"), expected \(expected); run the shard again")
  }
}
