import NovaCore
import Testing

@testable import NovaMock

/// Lists and relations against the plainest arrays that do the same.
@Suite struct StampedListTests {
  private func check(_ list: StampedList, _ model: [StampedList.Entry]) {
    #expect(list.count == model.count)
    for offset in [0, 1, model.count / 2, max(0, model.count - 3), model.count, model.count + 7] {
      for limit in [0, 1, 5, 5000] {
        #expect(
          list.newestFirst(offset: offset, limit: limit) == Array(model.reversed().dropFirst(offset).prefix(limit)))
        #expect(list.oldestFirst(offset: offset, limit: limit) == Array(model.dropFirst(offset).prefix(limit)))
      }
    }
    var entries: [StampedList.Entry] = []
    list.newestFirst { entry in
      entries.append(entry)
      return true
    }
    #expect(entries == model.reversed())
  }

  @Test(arguments: [0, 1, 4095, 4096, 4097, 13_000])
  func pagesAreThoseOfAnArray(count: Int) {
    var list = StampedList()
    var model: [StampedList.Entry] = []
    for number in 0..<Int32(count) {
      list.append(number % 97, stamp: number * 2)
      model.append(StampedList.Entry(stamp: number * 2, value: number % 97))
    }
    check(list, model)
    var generator = SeededGenerator(seed: 1)
    for _ in 0..<min(count, 500) {
      let entry = model.remove(at: generator.next(below: model.count))
      list.remove(stamp: entry.stamp)
      list.remove(stamp: entry.stamp)
      list.remove(stamp: entry.stamp + 1)
    }
    check(list, model)
    #expect(list.stamp(of: 96) == model.first { $0.value == 96 }?.stamp)
    #expect(list.stamp(of: 1000) == nil)
  }

  @Test func emptyChunksGo() {
    var list = StampedList()
    for number in 0..<Int32(10_000) { list.append(number, stamp: number) }
    for number in Int32(4000)..<8500 { list.remove(stamp: number) }
    #expect(list.newestFirst(offset: 1499, limit: 3).map(\.value) == [8501 - 1, 3999, 3998])
    for number in 0..<Int32(10_000) { list.remove(stamp: number) }
    #expect(list.isEmpty)
    check(list, [])
    list.append(1, stamp: 20_000)
    check(list, [StampedList.Entry(stamp: 20_000, value: 1)])
  }

  @Test func aRelationHoldsEachPairOnceInBothDirections() {
    var relation = Relation()
    var model: [[Int32]] = []
    var generator = SeededGenerator(seed: 2)
    for _ in 0..<5000 {
      let source = Int32(generator.next(below: 20))
      let target = Int32(generator.next(below: 30))
      let index = model.firstIndex(of: [source, target])
      switch generator.next(below: 40) {
      case 0:
        relation.removeAll(target: target)
        model.removeAll { $0[1] == target }
      case 1..<18:
        relation.remove(source, target)
        if let index { model.remove(at: index) }
      default:
        #expect(relation.insert(source, target) == (index == nil))
        if index == nil { model.append([source, target]) }
      }
      #expect(relation.contains(source, target) == model.contains([source, target]))
    }
    for number in Int32(0)..<31 {
      let targets = relation.targets(of: number).oldestFirst(offset: 0, limit: 100).map(\.value)
      #expect(targets == model.filter { $0[0] == number }.map { $0[1] })
      let sources = relation.sources(of: number).oldestFirst(offset: 0, limit: 100).map(\.value)
      #expect(sources == model.filter { $0[1] == number }.map { $0[0] })
    }
  }
}
