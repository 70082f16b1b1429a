import NovaCore

/// Numbers ids from 0 in order of appearance, so that a reference takes four bytes.
struct IDTable: Sendable {
  /// By the bytes of the ids: other spellings of the same characters are other ids.
  private var numbers: [String: Int32] = [:]
  private var ids: [String] = []

  var count: Int { ids.count }

  func number(_ id: String) -> Int32? { numbers[id.byteKey] }

  func id(_ number: Int32) -> String { ids[Int(number)] }

  /// Returns the number of an id, and assigns one to a new id.
  mutating func add(_ id: String) -> Int32 {
    let key = id.byteKey
    if let number = numbers[key] { return number }
    let number = Int32(ids.count)
    numbers[key] = number
    ids.append(id)
    return number
  }

  mutating func reserve(_ count: Int) {
    numbers.reserveCapacity(count)
    ids.reserveCapacity(count)
  }
}

/// The ids `post-1`, `post-2`, … of values numbered from 0. No table is needed, because an id contains its number. Only
/// the first values can have other ids, which a data set provides.
struct CountedID: Sendable {
  let prefix: String
  private var given = IDTable()

  init(prefix: String) { self.prefix = prefix }

  func id(_ number: Int32) -> String { number < given.count ? given.id(number) : "\(prefix)\(number + 1)" }

  /// Assigns a custom id to the next of the first values. It must differ from all counted ids.
  mutating func give(_ id: String) { _ = given.add(id) }

  /// Returns the number of an id; nil if this type does not write such an id (for example `post-01`).
  func number(_ id: String) -> Int32? {
    given.number(id) ?? counted(id).flatMap { $0 < given.count ? nil : $0 }
  }

  private func counted(_ id: String) -> Int32? {
    guard id.utf8.starts(with: prefix.utf8) else { return nil }
    let digits = id.utf8.dropFirst(prefix.utf8.count)
    guard let first = digits.first, first != UInt8(ascii: "0"), first != UInt8(ascii: "+"),
      let number = Int32(Substring(digits)), number > 0
    else { return nil }
    return number - 1
  }
}
