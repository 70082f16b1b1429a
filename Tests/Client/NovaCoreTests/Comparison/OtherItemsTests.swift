import NovaContent
import NovaGraph
import NovaMedia
import NovaRegistry
import NovaSocial
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

@testable import NovaCore

/// Lists and batches about other records than those that were asked for.
@Suite struct OtherItemsTests {
  @Test func theseNameTheirItems() {
    let rpcs = RPCRegistry.nova.rpcs.filter { $0.namedItems != nil }
    let listed = [
      "content.GetPostsByAuthor", "content.GetPostsByIds", "graph.BatchCheckFollowing", "media.GetUserVideos",
      "social.BatchCheckUserLiked", "social.BatchGetPostStats", "social.GetComments", "social.GetPostLikes",
      "user.GetUserProfilesByIds",
    ]
    let difference = ListDifference(of: listed, from: rpcs.map(\.id))
    #expect(difference.isEmpty, "\(difference): if the contract means that, change this list")
  }

  /// Every such RPC, with an answer of what was asked for, of something else, of both, and without ids.
  @Test(arguments: RPCRegistry.nova.rpcs.filter { $0.namedItems != nil })
  func everyAnswerIsCompared(_ rpc: RPCDescriptor) throws {
    let named = try #require(rpc.namedItems)
    let asked = rpc.requestType.descriptor.fields[named.requestField]
    let place = rpc.responseType.descriptor.fields[named.responseField]
    func answer(_ ids: [String]) throws -> any ProtoMessage {
      let value: JSONValue
      if case .map = place.cardinality {
        let each: JSONValue = place.kind == .bool ? .bool(true) : .object([])
        value = .object(ids.map { .init(name: $0, value: each) })
      } else {
        value = .array(ids.map { .members((named.field, .string($0))) })
      }
      return try rpc.responseType.init(jsonUTF8: JSONValue.members((place.name, value)).jsonUTF8)
    }
    func request(_ id: String) throws -> any ProtoMessage {
      let value: JSONValue = asked.cardinality == .repeated ? .array([.string("x"), .string(id)]) : .string(id)
      return try rpc.requestType.init(jsonUTF8: JSONValue.members((asked.name, value)).jsonUTF8)
    }
    for ids in [["id-1"], [], [""], ["ID-1"], ["posts/id-1"]] {
      #expect(OtherRecord(in: try answer(ids), to: try request("id-1"), naming: named) == nil, "\(rpc.id) \(ids)")
    }
    let mixed = OtherRecord(in: try answer(["id-1", "id-2"]), to: try request("id-1"), naming: named)
    #expect((mixed == nil) == (named.relation == .member), "\(rpc.id)")
    for ids in [["id-2"], ["id-2", ""]] {
      let other = OtherRecord(in: try answer(ids), to: try request("id-1"), naming: named)
      #expect(other?.finding.contains("\"id-2\"") == true, "\(rpc.id) \(ids)")
    }
    #expect(OtherRecord(in: try answer(["id-2"]), to: try request("me"), naming: named) == nil, "\(rpc.id)")
  }

  @Test func theyAreInvalid() async throws {
    func error(_ body: String, _ call: (APIClient) async throws -> Void) async throws -> APIError? {
      let transport = RecordingTransport(status: 200, body)
      let client = try APIClient.test(transport)
      let error = await apiError { try await call(client) }
      #expect(transport.requests.count == 1 && error?.code == .invalidResponse)
      return error
    }
    let comments = try await error(#"{"comments":[{"id":"c1","post_id":"p9"}],"total_count":1}"#) {
      _ = try await SocialService(client: $0).getComments(postId: "p1")
    }
    #expect(comments?.message == "the response has items of another post: expected \"p1\", got \"p9\"")
    let posts = try await error(#"{"posts":[{"id":"p9"}]}"#) {
      _ = try await ContentService(client: $0).getPostsByIds(postIds: ["p1"])
    }
    #expect(posts?.message == "the response is about another post than was asked for: got \"p9\"")
    // Left out, each would count as false.
    _ = try await error(#"{"results":{"u9":true}}"#) {
      _ = try await GraphService(client: $0).batchCheckFollowing(followerId: "me", followeeIds: ["u1"])
    }
    _ = try await error(#"{"videos":[{"id":"v","creator_id":"u9"}]}"#) {
      _ = try await MediaService(client: $0).getUserVideos(userId: "u1")
    }
  }

  /// More items than were asked for are left out, with a warning.
  @Test func aBatchWithOthersIsDoubtful() async throws {
    let cases: [(body: String, warnings: [String])] = [
      (#"{"posts":[{"id":"p1"},{"id":"p9"}]}"#, ["the response has 2 items though 1 was asked for by id"]),
      (#"{"posts":[{"id":"p1"}]}"#, []), (#"{"posts":[]}"#, []),
    ]
    for (body, warnings) in cases {
      let client = try APIClient.test(RecordingTransport(status: 200, body))
      let response = try await client.respond(ContentRPC.getPostsByIds, GetPostsByIdsRequest(postIds: ["p1"]))
      #expect(response.report.warnings == warnings, "\(body)")
    }
    let client = try APIClient.test(RecordingTransport(status: 200, #"{"results":{"u1":true,"u2":true,"u9":true}}"#))
    let request = BatchCheckFollowingRequest(followerId: "me", followeeIds: ["u1", "u2"])
    let response = try await client.respond(GraphRPC.batchCheckFollowing, request)
    #expect(response.report.warnings == ["the response has 3 items though 2 were asked for by id"])
  }

  /// Lists of an owner have as many items as they have.
  @Test func aListOfAnOwnerMayBeLong() async throws {
    let body = #"{"comments":[{"id":"c1","post_id":"p1"},{"id":"c2","post_id":"p1"}],"total_count":2}"#
    let client = try APIClient.test(RecordingTransport(status: 200, body))
    let response = try await client.respond(SocialRPC.getComments, GetCommentsRequest(postId: "p1"))
    #expect(response.report.warnings.isEmpty)
  }

  /// Users can be asked for by their names, too.
  @Test func otherNamesOfUsersAreAccepted() async throws {
    let client = try APIClient.test(RecordingTransport(status: 200, #"{"profiles":[{"id":"7","username":"bruce"}]}"#))
    let response = try await client.call(UserRPC.getUserProfilesByIds, GetUserProfilesByIdsRequest(userIds: ["bruce"]))
    #expect(response.profiles.map(\.id) == ["7"])
  }

  /// A record without the id by which it was asked for is returned, with a warning.
  @Test func aRecordWithoutItsIDIsDoubtful() async throws {
    for (body, count) in [(#"{"settings":{}}"#, 1), (#"{"settings":{"user_id":"u1"}}"#, 0), ("{}", 0)] {
      let client = try APIClient.test(RecordingTransport(status: 200, body))
      let response = try await client.respond(UserRPC.getUserSettings, GetUserSettingsRequest(userId: "u1"))
      #expect(response.report.warnings.count == count, "\(body): \(response.report.warnings)")
    }
  }
}
