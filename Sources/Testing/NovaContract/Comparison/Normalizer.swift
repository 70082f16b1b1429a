import NovaCore

/// Replaces values that differ in every run by values that do not:
///
/// | value | replacement |
/// |---|---|
/// | users of the scenario | `user ada` |
/// | fields named `id`, `…_id`, `…_ids` | `#1`, `#2`, … in the order in which the scenario first sees them |
/// | an id anywhere else: keys of maps, lists of ids, parts of URLs and messages | the same name |
/// | fields named `…_at` | `never`, or the position relative to the scenario's start |
/// | tokens and cursors | `****`, or empty as they were |
/// | `ranking_score` in a list | whether it is above the one before |
/// | the run's prefix in names and texts | `~` |
/// | numbers in messages of errors | `N` |
///
/// Empty texts and zeros stay, so the normalized value still shows whether there is a value.
struct Normalizer: Sendable {
  private let prefix: String
  private let clock = ContinuousClock()
  private let began: ContinuousClock.Instant
  /// The scenario's start by the server's clock; nil until an account is known.
  private var start: Int64?
  private var names: [String: String] = [:]
  private var count = 0

  init(prefix: String) {
    self.prefix = prefix
    began = clock.now
  }

  /// Gives a user's id a name. Times are relative to the creation of the first user.
  mutating func know(_ account: ContractAccount, as name: String) {
    names[account.userID] = "user \(name)"
    names[account.username] = "~_\(name)"
    names[account.email] = "~_\(name)@contract.example"
    start = start ?? account.createdAt
  }

  mutating func normalized(_ value: JSONValue) -> JSONValue { normalized(value, of: "") }

  private mutating func normalized(_ value: JSONValue, of field: String) -> JSONValue {
    switch value {
    case .null, .bool: value
    case .object(let members): .object(members.map { normalized($0) })
    case .array(let elements): .array(Self.withoutScores(elements).map { normalized($0, of: field) })
    case .number(let text): number(text, of: field)
    case .string(let text): string(text, of: field)
    }
  }

  private mutating func normalized(_ member: JSONValue.Member) -> JSONValue.Member {
    .init(name: normalized(text: member.name), value: normalized(member.value, of: member.name))
  }

  // MARK: Values

  private mutating func number(_ text: String, of field: String) -> JSONValue {
    if Self.isTime(field), let seconds = Int64(text) { return time(seconds) ?? .number(text) }
    if Self.isID(field), text != "0" { return .string(id(text)) }
    return .number(text)
  }

  private mutating func string(_ text: String, of field: String) -> JSONValue {
    if text.isEmpty { return .string(text) }
    if Self.secrets.contains(field) { return .string(SecretText.mask) }
    if Self.isID(field) { return .string(id(text)) }
    if Self.isTime(field), let moment = Timestamp(text), let time = time(moment.seconds) { return time }
    let text = normalized(text: text)
    return .string(field == "message" ? Self.withoutNumbers(text) : text)
  }

  private mutating func id(_ text: String) -> String {
    // An id that the scenario made up.
    if text.contains(prefix), names[text] == nil { return normalized(text: text) }
    if let name = names[text] { return name }
    count += 1
    names[text] = "#\(count)"
    return "#\(count)"
  }

  /// The time relative to the scenario's start; nil while no account is known.
  private func time(_ seconds: Int64) -> JSONValue? {
    if seconds == 0 { return .string("never") }
    guard let start else { return nil }
    // Servers write whole seconds, and their clock can differ from this one.
    let elapsed = Int64((clock.now - began) / .seconds(1)) + 5
    if seconds < start { return .string("before the scenario") }
    if seconds <= start + elapsed { return .string("during the scenario") }
    return .string("\((seconds - start) / 60) min after the start")
  }

  // MARK: Texts

  /// A text with the names of the ids in it, and without the prefix.
  func normalized(text: String) -> String {
    if let name = names[text] { return name }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var start = 0
    for end in 0...bytes.count where end == bytes.count || !Self.isPartOfWord(bytes[end]) {
      result += named(bytes[start..<end])
      if end < bytes.count { result.append(bytes[end]) }
      start = end + 1
    }
    return String(decoding: result, as: UTF8.self).replacing(prefix, with: "~")
  }

  /// The name of a word that is an id, and otherwise the word. A number in a text is rarely an id.
  private func named(_ word: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    guard (1...200).contains(word.count), !word.allSatisfy({ (0x30...0x39).contains($0) }),
      let name = names[String(decoding: word, as: UTF8.self)]
    else { return word }
    return ArraySlice(name.utf8)
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    byte.isASCIILetter || byte.isASCIIDigit || byte >= 0x80 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
  }

  private static func withoutNumbers(_ text: String) -> String {
    text.replacing(/[0-9][0-9,.]*/, with: "N")
  }

  // MARK: Names of fields

  private static let secrets: Set<String> = ["token", "refresh_token", "next_cursor"]

  private static func isID(_ field: String) -> Bool {
    field == "id" || field.hasSuffix("_id") || field.hasSuffix("_ids")
  }

  private static func isTime(_ field: String) -> Bool { field.hasSuffix("_at") }

  /// Replaces scores by their order. The scores depend on the times of posts, so only the order is the same in every run.
  private static func withoutScores(_ elements: [JSONValue]) -> [JSONValue] {
    let name = "ranking_score"
    var last: Double?
    return elements.map { element in
      guard case .object(let members) = element, case .number(let text) = element[name], let score = Double(text) else {
        return element
      }
      defer { last = score }
      let order = last.map { score > $0 ? "above the one before" : "not above the one before" } ?? "the first"
      return .object(members.map { $0.name == name ? .init(name: name, value: .string(order)) : $0 })
    }
  }
}
