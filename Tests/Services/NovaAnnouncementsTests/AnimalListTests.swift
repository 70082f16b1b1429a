import NovaAnnouncements
import NovaCore
import NovaTestSupport
import Testing

@Suite struct AnimalListTests {
  @Test(arguments: Spoiling.everywhere)
  func aListLeavesOutWhatIsWrongAndReportsIt(_ spoiling: Spoiling) {
    let list = AnimalList([.good.with(\.id, "a"), spoiling.spoilt, .good.with(\.id, "b")])
    #expect(list.animals.map(\.id) == ["a", "b"])
    #expect(list.skipped.map(\.id) == [spoiling.spoilt.id])
    #expect(list.skipped.first?.reason.kind == spoiling.kind && list.skipped.first?.reason.field == spoiling.field)
  }

  @Test func anIDIsTakenOnce() {
    let list = AnimalList([.good, .good.with(\.petName, "Moritz"), .good])
    #expect(list.animals.map(\.name) == ["Max"])
    #expect(list.skipped.map(\.reason.kind) == [.repeatedID, .repeatedID])
    #expect(
      "\(list.skipped[0])"
        == #"announcement 550e8400: id is "550e8400"; expected an id that no earlier announcement of the list has"#)
  }

  @Test func whatWasLeftOutTakesNoID() {
    let list = AnimalList([.good.with(\.species, "FISH"), .good])
    #expect(list.animals.map(\.name) == ["Max"])
    #expect(list.skipped.map(\.reason.kind) == [.unknownSpecies])
  }

  @Test func nothingComesOfNothing() { #expect(AnimalList([]) == AnimalList()) }

  /// Each announcement is an animal or is reported, in order; no id comes twice; what is good is never left out.
  @Test(arguments: 0..<50 as Range<UInt64>)
  func anyListIsSortedOut(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var good: [String] = []
    let announcements = (0..<Int.random(in: 0...40, using: &random)).map { number in
      let id = "pet-\(Int.random(in: 0...30, using: &random))"
      guard random.one(in: 2), let spoiling = Spoiling.everywhere.randomElement(using: &random) else {
        if !good.contains(id) { good.append(id) }
        return Announcement.good.with(\.id, id).with(\.petName, "\(number)")
      }
      var announcement = Announcement.good.with(\.id, id)
      spoiling.spoil(&announcement)
      return announcement
    }
    let list = AnimalList(announcements)
    #expect(list.animals.map(\.id) == good, "seed \(seed)")
    #expect(list.animals.count + list.skipped.count == announcements.count, "seed \(seed)")
    for animal in list.animals { #expect(animal.coordinate.isValid && !animal.name.isEmpty, "seed \(seed)") }
  }
}
