import NovaSupport
import NovaTestSupport
import Testing

@Suite struct BroadcastTests {
  @Test func streamsGetAllValuesFromTheirBeginningOn() async {
    let broadcast = Broadcast<Int>()
    broadcast.send(1)
    let early = broadcast.stream(buffering: .unbounded)
    broadcast.send(2)
    let late = broadcast.stream(beginningWith: 0, buffering: .unbounded)
    for value in 3...5 { broadcast.prepare(value) }
    let last = broadcast.stream(buffering: .unbounded)
    broadcast.deliver()
    broadcast.finish()
    #expect(await early.reduce(into: []) { $0.append($1) } == [2, 3, 4, 5])
    #expect(await late.reduce(into: []) { $0.append($1) } == [0, 3, 4, 5])
    #expect(await last.reduce(into: []) { $0.append($1) } == [])
    #expect(await broadcast.stream(beginningWith: 6, buffering: .unbounded).reduce(into: []) { $0.append($1) } == [6])
  }

  @Test func slowReadersKeepTheNewest() async {
    let broadcast = Broadcast<Int>()
    let stream = broadcast.stream(buffering: .bufferingNewest(2))
    for value in 1...9 { broadcast.send(value) }
    broadcast.finish()
    #expect(await stream.reduce(into: []) { $0.append($1) } == [8, 9])
  }

  /// Senders determine the order under a lock of their own, and deliver outside of it.
  @Test(.hangLimit, arguments: [1, 2, 8]) func allStreamsSeeOneOrder(senders: Int) async {
    let (broadcast, number, values) = (Broadcast<Int>(), Locked(0), 2000)
    await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<3 {
        let stream = broadcast.stream(buffering: .unbounded)
        group.addTask { await stream.reduce(into: []) { $0.append($1) } }
      }
      await withTaskGroup { sending in
        for _ in 0..<senders {
          sending.addTask {
            for _ in 0..<values {
              number.withLock { number in
                number += 1
                broadcast.prepare(number)
              }
              broadcast.deliver()
            }
          }
        }
      }
      broadcast.finish()
      for await seen in group { #expect(seen == Array(1...senders * values), "\(seen.count) values") }
    }
  }

  @Test func streamsEndWithTheBroadcast() async {
    var broadcast: Broadcast<Int>? = Broadcast<Int>()
    let stream = broadcast?.stream(beginningWith: 1, buffering: .unbounded)
    broadcast = nil
    #expect(await stream?.reduce(into: []) { $0.append($1) } == [1])
  }
}
