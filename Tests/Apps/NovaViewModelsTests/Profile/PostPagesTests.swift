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

  /// Also if it was found by going back: it has no position at which to continue.
  @Test func anEmptyPageThatWasFoundByGoingBackIsTheLast() {
    var pages = PostPages(Page(items: [Post(id: "1"), Post(id: "2")], totalCount: 3, hasMore: true))
    var found = PageOverlap.Continuation<Post>(Page(items: [], totalCount: 3, hasMore: true), start: 1)
    found.isRecovered = true
    pages.append(found)
    #expect(!pages.hasMore)
  }

  /// The server's list has become shorter, so the next page begins earlier.
  @Test func aRemovedPostIsNoLongerCovered() {
    var pages = PostPages(Page(items: ["1", "2", "3"].map { Post(id: $0) }, totalCount: 5, hasMore: true))
    pages.remove("2")
    #expect(pages.covered == 2 && pages.posts.map(\.id) == ["1", "3"])
    pages.remove("2")
    #expect(pages.covered == 2)
    pages.insert(Post(id: "0"))
    #expect(pages.covered == 3 && pages.posts.map(\.id) == ["0", "1", "3"])
  }

  /// IDs that differ only in their Unicode form are different IDs.
  @Test func twoSpellingsAreTwoPosts() {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    var pages = PostPages(Page(items: [Post(id: composed)], totalCount: 3, hasMore: true))
    #expect(pages.contains(composed) && !pages.contains(decomposed))
    pages.append(
      PageOverlap.Continuation(
        Page(items: [Post(id: decomposed), Post(id: composed)], totalCount: 3, hasMore: false), start: 1))
    #expect(pages.posts.map(\.id).haveSameBytes(as: [composed, decomposed]))
    pages.remove(composed)
    #expect(pages.posts.map(\.id).haveSameBytes(as: [decomposed]))
  }

  @Test func aPageWithTheKnownPostOnlyIsTheLast() {
    let first = Page(items: [Post(id: "1")], totalCount: 3, hasMore: true)
    var pages = PostPages(first)
    pages.append(PageOverlap.Continuation(first, start: 0))
    #expect(!pages.hasMore && pages.covered == 1)
  }
}
