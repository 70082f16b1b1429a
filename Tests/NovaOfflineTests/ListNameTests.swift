import NovaOffline
import Testing

@Suite struct ListNameTests {
  @Test func tellsListsApartByKindAndKey() {
    #expect(ListName("followers", ["a"]) != ListName("following", ["a"]))
    #expect(ListName("comments", ["a", "b"]) != ListName("comments", ["ab"]))
  }
}
