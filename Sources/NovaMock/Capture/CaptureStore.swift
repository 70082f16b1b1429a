import NovaCapture

/// The captures of users, oldest first.
struct CaptureStore: Sendable {
  private var somethings: [Int64: Something] = [:]
  private var byOwner: [String: [Int64]] = [:]
  private var lastID: Int64 = 0

  /// Returns the ids of a user's captures, oldest first.
  func ids(of owner: String) -> [Int64] { byOwner[owner] ?? [] }

  var count: Int { somethings.count }

  subscript(id: Int64) -> Something? { somethings[id] }

  /// Stores a new capture under the next id.
  mutating func add(_ something: Something) -> Something {
    var something = something
    something.id = lastID + 1
    restore(something)
    return something
  }

  /// Stores a capture under its own id; later ids continue after the highest one.
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
