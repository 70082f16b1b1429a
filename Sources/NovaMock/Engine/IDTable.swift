/// Gives every id a number, counted from 0 in order of appearance: what refers to it then takes four bytes.
struct IDTable: Sendable {
  private var numbers: [String: Int32] = [:]
  private var ids: [String] = []

  var count: Int { ids.count }

  func number(_ id: String) -> Int32? { numbers[id] }

  func id(_ number: Int32) -> String { ids[Int(number)] }

  /// The number of an id, a new one if it has none yet.
  mutating func add(_ id: String) -> Int32 {
    if let number = numbers[id] { return number }
    let number = Int32(ids.count)
    numbers[id] = number
    ids.append(id)
    return number
  }

  mutating func reserve(_ count: Int) {
    numbers.reserveCapacity(count)
    ids.reserveCapacity(count)
  }
}

/// The ids `post-1`, `post-2`, … of things that are numbered from 0. No table is needed: an id says its number. Only the
/// first ones may have other ids, which a data set brought along.
struct CountedID: Sendable {
  let prefix: String
  private var given = IDTable()

  init(prefix: String) { self.prefix = prefix }

  func id(_ number: Int32) -> String { number < given.count ? given.id(number) : "\(prefix)\(number + 1)" }

  /// Gives the next of the first ones an id of its own, which must be none that counting leads to.
  mutating func give(_ id: String) { _ = given.add(id) }

  /// The number of an id; nil if it is not one this type writes (`post-01`, say).
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
