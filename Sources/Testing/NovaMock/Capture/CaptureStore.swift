import NovaCapture
import NovaCore

/// The captures of users, oldest first.
struct CaptureStore: Sendable {
  private var somethings: [Int64: Something] = [:]
  private var byOwner: [ExactText: [Int64]] = [:]
  private var lastID: Int64 = 0
  /// When the meanings that are still to be found are due, by the capture's id.
  private var expectedMeanings: [Int64: Int64] = [:]
  /// The earliest of these times.
  private var nextMeaning = Int64.max
  /// When the last capture was made.
  private(set) var lastCreation: Timestamp?

  /// Returns the ids of a user's captures, oldest first.
  func ids(of owner: String) -> [Int64] { byOwner[ExactText(owner)] ?? [] }

  var count: Int { somethings.count }

  subscript(id: Int64) -> Something? { somethings[id] }

  /// The id of the next capture.
  var nextID: Int64 { lastID + 1 }

  /// Stores a new capture under the next id.
  mutating func add(_ something: Something) -> Something {
    var something = something
    something.id = nextID
    lastCreation = something.createdAt
    restore(something)
    return something
  }

  /// Stores a capture under its own id; later ids continue after the highest one.
  mutating func restore(_ something: Something) {
    lastID = max(lastID, something.id)
    somethings[something.id] = something
    byOwner[ExactText(something.userId), default: []].append(something.id)
  }

  mutating func replace(_ something: Something) { somethings[something.id] = something }

  mutating func remove(_ something: Something) {
    somethings[something.id] = nil
    byOwner[ExactText(something.userId)]?.removeAll { $0 == something.id }
    expectedMeanings[something.id] = nil
  }

  // MARK: Meanings

  mutating func expectMeaning(of id: Int64, at time: Int64) {
    expectedMeanings[id] = time
    nextMeaning = min(nextMeaning, time)
  }

  /// Finds no meaning for a capture: the user has written one.
  mutating func expectNoMeaning(of id: Int64) { expectedMeanings[id] = nil }

  /// Removes and returns the captures whose meaning is due, with the times at which it was, earliest first.
  mutating func takeDueMeanings(at now: Int64) -> [(id: Int64, time: Int64)] {
    guard nextMeaning <= now else { return [] }
    let due = expectedMeanings.filter { $0.value <= now }
    for id in due.keys { expectedMeanings[id] = nil }
    nextMeaning = expectedMeanings.values.min() ?? .max
    return due.map { (id: $0.key, time: $0.value) }.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
  }
}
