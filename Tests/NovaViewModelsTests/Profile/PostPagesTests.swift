import NovaContent
import NovaCore
import Testing

@testable import NovaViewModels

@Suite struct PostPagesTests {
  @Test func anEmptyPageIsTheLast() {
    var pages = PostPages(Page(items: [Post(id: "1")], totalCount: 3, hasMore: true))
    #expect(pages.hasMore)
    pages.append(PageOverlap.Continuation(Page(items: [], totalCount: 3, hasMore: true), start: 1))
    #expect(!pages.hasMore && pages.covered == 1)
  }

  @Test func aPageWithTheKnownPostOnlyIsTheLast() {
    let first = Page(items: [Post(id: "1")], totalCount: 3, hasMore: true)
    var pages = PostPages(first)
    pages.append(PageOverlap.Continuation(first, start: 0))
    #expect(!pages.hasMore && pages.covered == 1)
  }
}
