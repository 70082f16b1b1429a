import NovaSDK
import NovaTestSupport
import Testing

@Suite struct LikedPostsTests {
  @Test func postsComeInTheOrderOfTheLikes() async throws {
    let nova = NovaClient.mock()
    for number in 1...25 { try await nova.social.createLike(postId: "post-\(number)", userId: "new") }
    var ids: [String] = []
    for try await post in nova.social.likedPosts(by: "new", pageSize: 10) { ids.append(post.id) }
    #expect(ids == (1...25).reversed().map { "post-\($0)" })
    var few: [String] = []
    for try await post in nova.social.likedPosts(by: "new", maximumCount: 3) { few.append(post.id) }
    #expect(few == ["post-25", "post-24", "post-23"])
    for try await post in nova.social.likedPosts(by: "nobody") { Issue.record("\(post)") }
  }

  /// Likes 0…9; only the posts 0, 1, 8 and 9 are there, so that whole pages are empty.
  private func transport() -> RecordingTransport {
    RecordingTransport { _, request in
      let json = try JSONValue(jsonUTF8: request.body.inMemory)
      let body: String
      if request.url.text.hasSuffix("/liked-posts") {
        let (limit, offset) = (json["limit"]?.integerValue ?? 0, json["offset"]?.integerValue ?? 0)
        let ids = (offset..<min(offset + limit, 10)).map { "\"\($0)\"" }
        body = #"{"post_ids":[\#(ids.joined(separator: ","))],"total":10}"#
      } else {
        let asked = String(decoding: request.body.inMemory, as: UTF8.self)
        let ids = ["9", "8", "1", "0"].filter { asked.contains("\"\($0)\"") }
        body = #"{"posts":[\#(ids.map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]}"#
      }
      return HTTPResponse(status: 200, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
  }

  @Test(arguments: [2, 3, 4, 10]) func missingPostsAreLeftOut(pageSize: Int) async throws {
    let transport = transport()
    let social = SocialService(client: try APIClient.test(transport))
    var ids: [String] = []
    for try await post in social.likedPosts(by: "u", pageSize: pageSize) { ids.append(post.id) }
    #expect(ids == ["0", "1", "8", "9"])
    // Each page but the first has an id that is known.
    let pages = 1 + (10 - pageSize + pageSize - 2) / (pageSize - 1)
    #expect(transport.requests.count { $0.url.text.hasSuffix("/posts/batch") } == pages, "one call for a page of ids")
    #expect(transport.requests.count { $0.url.text.hasSuffix("/liked-posts") } == pages)
  }

  @Test func theMaximumCountsPostsThatAreThere() async throws {
    let social = SocialService(client: try APIClient.test(transport()))
    var ids: [String] = []
    for try await post in social.likedPosts(by: "u", pageSize: 10, maximumCount: 3) { ids.append(post.id) }
    #expect(ids == ["0", "1", "8"])
  }

  @Test func onFakesThePostsComeFromTheServiceThatIsGiven() async throws {
    let log = FakeLog()
    let (social, content) = (FakeSocialService(log: log), FakeContentService(log: log))
    social.getUserLikedPosts.returns(GetUserLikedPostsResponse(postIds: ["a", "b"], total: 2))
    content.getPostsByIds.runs { request in GetPostsByIdsResponse(posts: request.postIds.map { Post(id: $0) }) }
    var ids: [String] = []
    for try await post in social.likedPosts(by: "u", from: content) { ids.append(post.id) }
    #expect(ids == ["a", "b"])
    #expect(log.calls.map(\.rpc) == ["social.GetUserLikedPosts", "content.GetPostsByIds"])
  }
}
