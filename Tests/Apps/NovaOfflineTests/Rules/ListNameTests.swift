import NovaOffline
import Testing

@Suite struct ListNameTests {
  @Test func tellsListsApartByKindAndKey() {
    #expect(ListName("followers", ["a"]) != ListName("following", ["a"]))
    #expect(ListName("comments", ["a", "b"]) != ListName("comments", ["ab"]))
  }

  /// IDs that differ only in how Unicode writes them are two.
  @Test func namesAreComparedByBytes() {
    let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
    #expect(ListName("followers", [composed]) != ListName("followers", [decomposed]))
    #expect(CountName("followers", ["a", composed]) != CountName("followers", ["a", decomposed]))
    #expect(RelationName("likes", from: composed, to: "p") != RelationName("likes", from: decomposed, to: "p"))
    #expect(RelationName("likes", from: "u", to: composed) != RelationName("likes", from: "u", to: decomposed))
    #expect(Set([ListName("a", [composed]), ListName("a", [decomposed]), ListName("a", [composed])]).count == 2)
  }
}
