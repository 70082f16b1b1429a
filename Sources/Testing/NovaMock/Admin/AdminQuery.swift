import NovaCore

/// The parameters of an admin request.
struct AdminQuery {
  private let pairs: [(name: String, value: String)]

  /// - Throws: ``MockFailure`` for a parameter other than `names`.
  init(_ query: String, names: [String]) throws(MockFailure) {
    pairs = PercentEncoding.pairs(query)
    if let other = pairs.first(where: { !names.contains($0.name) })?.name {
      throw .invalid("unknown parameter \(other.shortened(to: 40)); expected \(names.joined(separator: " or "))")
    }
  }

  /// The last value of a parameter; nil without one.
  func text(_ name: String) -> String? { pairs.last { $0.name == name }?.value }

  func number(_ name: String, in range: ClosedRange<Int>, default value: Int) throws(MockFailure) -> Int {
    guard let text = text(name) else { return value }
    guard text.utf8.allSatisfy(\.isASCIIDigit), let value = Int(text), range.contains(value) else {
      throw .invalid(
        "\(name) is \"\(text.shortened(to: 40))\"; expected a whole number of at least \(range.lowerBound)"
          + (range.upperBound == .max ? "" : " and at most \(range.upperBound)"))
    }
    return value
  }

  /// The page that `offset` and `limit` name.
  var page: AdminPage {
    get throws(MockFailure) {
      AdminPage(
        offset: try number("offset", in: 0...Int.max, default: 0), limit: try number("limit", in: 1...200, default: 50))
    }
  }

  func flag(_ name: String) throws(MockFailure) -> Bool {
    switch text(name) {
    case nil, "false": false
    case "true": true
    case let other?:
      throw .invalid("\(name) is \"\(other.shortened(to: 40))\"; expected true or false")
    }
  }
}

/// A page of a list.
struct AdminPage {
  let offset: Int
  let limit: Int

  func of<Element>(_ list: [Element]) -> ArraySlice<Element> { list.dropFirst(offset).prefix(limit) }
}
