import NovaCache
import Testing

struct HTTPCacheTests {
  @Test func emptyCacheHoldsNothing() async {
    #expect(await HTTPCache().usage() == HTTPCache.Usage())
  }
}
