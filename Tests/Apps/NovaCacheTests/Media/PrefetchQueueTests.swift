import NovaCore
import NovaTestSupport
import Testing

@testable import NovaCache

@Suite(.hangLimit)
struct PrefetchQueueTests {
  /// Loads that end when the test allows it.
  private final class Loads: Sendable {
    private let started = Locked<[String]>([])
    private let gates: [String: Gate]

    init(_ names: [String]) { gates = Dictionary(uniqueKeysWithValues: names.map { ($0, Gate()) }) }

    var names: [String] { started.withLock { $0 } }

    /// The priorities of the loads when they ended.
    let priorities = Locked<[String: TaskPriority]>([:])

    func load(_ name: String) async {
      started.withLock { $0.append(name) }
      await gates[name]?.wait()
      priorities.withLock { $0[name] = Task.currentPriority }
    }

    func end(_ name: String) { gates[name]?.open() }

    func waitForStarts(_ count: Int) async { while names.count < count { await Task.yield() } }
  }

  @Test func startsTheMostUrgentFirst() async {
    let names = (0..<8).map(String.init) + ["urgent"]
    let loads = Loads(names)
    let queue = PrefetchQueue { await loads.load($0) }
    let first = queue.add((0..<8).map(String.init), .low)
    await loads.waitForStarts(4)
    let second = queue.add(["7", "urgent"], .high)
    // Requesting it again with a lower priority changes nothing.
    let third = queue.add(["7", "6"], .medium)
    #expect(queue.counts == (4, 5))
    for name in ["0", "1", "2", "3", "7"] {
      let count = loads.names.count
      loads.end(name)
      await loads.waitForStarts(count + 1)
    }
    #expect(Array(loads.names[4...]) == ["7", "urgent", "6", "4", "5"])
    for name in names { loads.end(name) }
    for id in [first, second, third] { await queue.finish(id) }
    #expect(queue.counts == (0, 0))
  }

  @Test func stepsBackForVisibleLoads() async {
    let names = (0..<6).map(String.init)
    let loads = Loads(names)
    let queue = PrefetchQueue { await loads.load($0) }
    let (began, end) = (Gate(), Gate())
    let visible = Task {
      await queue.visible("other") {
        began.open()
        await end.wait()
      }
    }
    await began.wait()
    let id = queue.add(names, .low)
    await loads.waitForStarts(1)
    #expect(queue.counts == (1, 5))
    end.open()
    await visible.value
    await loads.waitForStarts(4)
    #expect(queue.counts == (4, 2))
    for name in names { loads.end(name) }
    await queue.finish(id)
  }

  @Test func cancelsWhatNobodyElseWants() async {
    let names = (0..<9).map(String.init)
    let loads = Loads(names)
    let queue = PrefetchQueue { await loads.load($0) }
    let first = queue.add(names, .low)
    let second = queue.add(["8"], .low)
    await loads.waitForStarts(4)
    queue.cancel(first)
    #expect(queue.counts == (4, 1))
    for name in names { loads.end(name) }
    await queue.finish(first)
    await queue.finish(second)
    #expect(loads.names.count == 5)
    await queue.shutdown()
    await queue.finish(queue.add(["9"], .high))
    #expect(loads.names.count == 5)
  }

  /// A list that scrolls out of view and back gets its images.
  @Test func loadsAgainWhatWasCancelled() async {
    let loads = Loads(["a"])
    let queue = PrefetchQueue { await loads.load($0) }
    let first = queue.add(["a"], .low)
    await loads.waitForStarts(1)
    queue.cancel(first)
    let second = queue.add(["a"], .low)
    loads.end("a")
    await queue.finish(second)
    #expect(loads.names == ["a", "a"])
    #expect(queue.counts == (0, 0))
  }

  /// Linux and Apple's latest systems can raise the priority of a running task.
  @Test func raisesThePriorityOfALoadThatRuns() async throws {
    guard #available(macOS 26, *) else { return }
    let names = ["again", "visible", "lower"]
    let loads = Loads(names)
    let queue = PrefetchQueue { await loads.load($0) }
    let first = queue.add(["again", "visible"], .low)
    let second = queue.add(["lower"], .medium)
    await loads.waitForStarts(3)
    let third = queue.add(["again"], .high)
    let fourth = queue.add(["lower"], .low)
    await queue.visible("visible") {}
    for name in names { loads.end(name) }
    for id in [first, second, third, fourth] { await queue.finish(id) }
    #expect(loads.priorities.withLock { $0 } == ["again": .high, "visible": .high, "lower": .medium])
  }
}
