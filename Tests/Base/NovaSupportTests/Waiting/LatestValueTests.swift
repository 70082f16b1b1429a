import NovaSupport
import NovaTestSupport
import Testing

@Suite struct LatestValueTests {
  @Test func observersGetTheLatestFirstAndThenTheChanges() async {
    let value = LatestValue(1)
    value.update { $0 = 2 }
    var early = value.stream().makeAsyncIterator()
    #expect(await early.next() == 2)
    #expect(value.update { $0 = 3 })
    #expect(!value.update { $0 = 3 })
    var late = value.stream().makeAsyncIterator()
    #expect(await late.next() == 3)
    #expect(await early.next() == 3)
    value.update { $0 = 4 }
    value.update { $0 = 5 }
    value.finish()
    // A slow observer skips to the next change.
    #expect(await early.next() == 5)
    #expect(await early.next() == nil)
    #expect(await late.next() == 5)
    #expect(await late.next() == nil)
    var afterwards = value.stream().makeAsyncIterator()
    #expect(await afterwards.next() == 5)
    #expect(await afterwards.next() == nil)
  }

  @Test func preparedChangesAreToldLater() async {
    let value = LatestValue(0)
    var observer = value.stream().makeAsyncIterator()
    #expect(await observer.next() == 0)
    #expect(value.prepare { $0 = 1 })
    var later = value.stream().makeAsyncIterator()
    #expect(await later.next() == 1)
    value.deliver()
    #expect(await observer.next() == 1)
    value.finish()
    // It already received the change.
    #expect(await later.next() == nil)
  }

  @Test func onlyCountedObserversCountAndOnlyWhileTheyRead() async {
    let value = LatestValue(0)
    let quiet = value.stream(isCounted: false)
    #expect(!value.isObserved)
    var counted: AsyncStream<Int>? = value.stream()
    #expect(value.isObserved && counted != nil)
    counted = nil
    #expect(!value.isObserved)
    withExtendedLifetime(quiet) {}
  }

  /// Any number of tasks change the value, and each may deliver the changes of the others.
  @Test(.hangLimit, arguments: [1, 2, 8]) func observersSeeChangesInTheirOrder(writers: Int) async {
    let (value, changes) = (LatestValue(0), 2000)
    await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<3 {
        let stream = value.stream()
        group.addTask {
          var seen: [Int] = []
          for await change in stream { seen.append(change) }
          return seen
        }
      }
      await withTaskGroup { writing in
        for _ in 0..<writers {
          writing.addTask { for _ in 0..<changes { value.update { $0 += 1 } } }
        }
      }
      value.finish()
      for await seen in group {
        #expect(seen.last == writers * changes)
        #expect(zip(seen, seen.dropFirst()).allSatisfy { $0 < $1 }, "\(seen.count) values out of order")
      }
    }
  }

  /// A cancelled task ends its stream while the runtime holds its lock, and a change that wakes it needs that lock.
  /// Cancellation handlers may also change the value themselves.
  @Test(.hangLimit, arguments: [false, true]) func changesAndCancellationsDoNotWaitForEachOther(
    handlersChangeIt: Bool
  ) async {
    let value = LatestValue(0)
    // A stream may notice that its task was cancelled, and end, before the handler is called.
    let handled = Locked(0)
    await withTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<1500 {
            let reader = Task {
              await withTaskCancellationHandler {
                for await _ in value.stream() {}
              } onCancel: {
                guard handlersChangeIt else { return }
                value.update { $0 += 1 }
                handled.withLock { $0 += 1 }
              }
            }
            value.update { $0 += 1 }
            await Task.yield()
            reader.cancel()
            value.update { $0 += 1 }
            await reader.value
          }
        }
      }
    }
    #expect(value.value == 6000 + handled.withLock { $0 })
    #expect(!value.isObserved)
  }
}
