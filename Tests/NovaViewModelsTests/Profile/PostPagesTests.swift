import NovaContent
import NovaCore
import Testing

@testable import NovaViewModels

@Suite struct PostPagesTests {
  @Test func anEmptyPageIsTheLast() {
    var pages = PostPages(Page(items: [Post(id: "1")], totalCount: 3, hasMore: true))
    #expect(pages.hasMore)
    pages.append(Page(items: [], totalCount: 3, hasMore: true), from: 1)
    #expect(!pages.hasMore && pages.covered == 1)
  }
}
