import NovaMock
import NovaTestSupport
import Testing

/// Which epochs a backend has, one after the other.
@Suite struct EventEpochTests {
  /// The epochs of a backend that begins the first one, is reset, restored to a snapshot, and loses its events.
  private func epochs(seed: UInt64, first: String?) -> [String] {
    let backend = MockBackend(seed: seed, dataSet: .empty)
    var epochs: [String] = []
    func note() { epochs.append(String(backend.eventPosition.prefix { $0 != ":" })) }
    if let first { backend.beginEventEpoch(first) }
    note()
    backend.reset()
    note()
    backend.restore(backend.snapshot())
    note()
    backend.beginEventEpoch()
    note()
    return epochs
  }

  @Test func theSeedDeterminesTheEpochs() {
    #expect(epochs(seed: 1, first: nil) == epochs(seed: 1, first: nil))
    #expect(Set(epochs(seed: 1, first: nil) + epochs(seed: 2, first: nil)).count == 8)
  }

  /// As at each start of `nova serve`: a position of an earlier process must be unknown, also after a reset.
  @Test func epochsBehindANamedOneAreThoseOfItsName() {
    let (first, second) = (epochs(seed: 1, first: "a"), epochs(seed: 1, first: "b"))
    #expect(first[0] == "a" && second[0] == "b")
    #expect(Set(first + second + epochs(seed: 1, first: nil)).count == 12, "\(first) \(second)")
    #expect(epochs(seed: 1, first: "a") == first)
  }
}
