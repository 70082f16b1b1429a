import NovaSupport
import Testing

@Suite struct QueueTests {
  /// Elements are added and removed in random order.
  @Test(arguments: UInt64(0)..<20) func itBehavesLikeAnArray(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var (queue, array) = (Queue<Int>(), [Int]())
    for number in 0..<500 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1, 2:
        queue.append(number)
        array.append(number)
      case 3: #expect(queue.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
      case 4: #expect(queue.popLast() == array.popLast())
      default:
        queue.update { $0 += 1 }
        array = array.map { $0 + 1 }
      }
      #expect(Array(queue.all) == array && queue.count == array.count && queue.isEmpty == array.isEmpty)
      #expect(queue.first == array.first && queue.last == array.last)
    }
  }

  @Test func removedElementsAreReleased() {
    final class Item {}
    var queue = Queue<Item>()
    weak var first: Item?
    for number in 0..<10 {
      let item = Item()
      if number == 0 { first = item }
      queue.append(item)
    }
    _ = queue.popFirst()
    #expect(first == nil)
  }
}
