import NovaSupport
import Testing

/// Streams of what is read after changes.
@Suite struct AsyncStreamLatestTests {
  @Test func repetitionsAreLeftOut() async {
    let (changes, source) = AsyncStream.makeStream(of: Int.self)
    let value = Locked(1)
    let stream = AsyncStream<Int>.latest(after: changes, by: \.self) { value.withLock { $0 } }
    var elements = stream.makeAsyncIterator()
    source.yield(0)
    let first = await elements.next()
    source.yield(1)
    value.withLock { $0 = 2 }
    source.yield(2)
    let second = await elements.next()
    source.finish()
    let last = await elements.next()
    #expect(first == 1 && second == 2 && last == nil)
  }
}
