import NovaSupport
import Testing

@Suite struct RecentSetTests {
  @Test func itsSizeIsBounded() {
    var recent = RecentSet<Int>(capacity: 100)
    var repeats = 0
    for item in 0..<100_000 where !recent.insert(item) { repeats += 1 }
    #expect(repeats == 0)
    #expect(recent.count == 100)
    let isRecent = !recent.insert(99_950)
    let isForgotten = recent.insert(5)
    #expect(isRecent && isForgotten)
  }

  @Test func anEmptyIDIsNeverAmongThem() {
    var recent = RecentSet<Int>(capacity: 3)
    for _ in 0..<2 {
      let isNew = recent.insert(id: "")
      #expect(isNew && !recent.contains(id: ""))
    }
    let (first, second) = (recent.insert(id: "a"), recent.insert(id: "a"))
    #expect(first && !second && recent.contains(id: "a") && !recent.contains(id: "b"))
  }
}
