import NovaCapture

/// What users have captured, oldest first.
struct CaptureStore: Sendable {
  private var somethings: [Int64: Something] = [:]
  private var byOwner: [String: [Int64]] = [:]
  private var lastID: Int64 = 0

  /// The ids of what a user has captured, oldest first.
  func ids(of owner: String) -> [Int64] { byOwner[owner] ?? [] }

  var count: Int { somethings.count }

  subscript(id: Int64) -> Something? { somethings[id] }

  /// Keeps something new under the next id.
  mutating func add(_ something: Something) -> Something {
    var something = something
    something.id = lastID + 1
    restore(something)
    return something
  }

  /// Keeps something under the id that it has; ids go on behind the highest.
  mutating func restore(_ something: Something) {
    lastID = max(lastID, something.id)
    somethings[something.id] = something
    byOwner[something.userId, default: []].append(something.id)
  }

  mutating func replace(_ something: Something) { somethings[something.id] = something }

  mutating func remove(_ something: Something) {
    somethings[something.id] = nil
    byOwner[something.userId]?.removeAll { $0 == something.id }
  }
}
