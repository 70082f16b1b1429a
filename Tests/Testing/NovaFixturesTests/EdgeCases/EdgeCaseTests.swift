import NovaAnnouncements
import NovaContent
import NovaCore
import NovaGraph
import NovaSocial
import NovaUsers
import Testing

@testable import NovaFixtures

@Suite struct EdgeTests {
  @Test func theCatalogueIsComplete() {
    #expect(
      EdgeCase.all.map(\.name) == [
        "int64-above-2^53", "zero-times", "negative-times", "empty-strings", "maximum-lengths", "emoji-zwj", "rtl",
        "control-characters", "unknown-enum-values", "missing-optionals", "legacy-times", "deep-threads",
        "celebrity", "user-with-nothing",
      ])
    for edge in EdgeCase.all {
      #expect(!edge.answers.isEmpty && edge.summary.hasSuffix("."), "\(edge.name)")
      #expect(EdgeCase.named(edge.name)?.answers.count == edge.answers.count)
    }
    #expect(EdgeCase.named("no-such-edge") == nil)
  }

  /// Each response has the RPC's own types.
  @Test(arguments: EdgeCase.all.map(\.name)) func typesAreTheRPCs(_ name: String) throws {
    for answer in try #require(EdgeCase.named(name)).answers {
      #expect(type(of: answer.request) == answer.rpc.requestType)
      #expect(type(of: answer.response) == answer.rpc.responseType)
    }
  }

  @Test func controlCharactersAreThereWithoutNUL() throws {
    let post = try #require(response("control-characters", GetPostResponse.self).post)
    let codes = Set(post.content.unicodeScalars.map(\.value))
    #expect(codes.isSuperset(of: Array(0x01...0x1F) + Array(0x7F...0x9F)) && !codes.contains(0))
  }

  @Test func lengthsAreTheMaximumInCharacters() throws {
    #expect(try response("maximum-lengths", GetPostResponse.self).post?.content.count == 10_000)
    #expect(try response("maximum-lengths", GetCommentResponse.self).comment?.content.count == 2_000)
    #expect(try response("maximum-lengths", GetUserProfileResponse.self).profile?.username.count == 32)
  }

  @Test func familiesAreOneCharacter() throws {
    let name = try response("emoji-zwj", GetUserProfileResponse.self).profile?.displayName
    #expect(name?.count == 3 && (name?.unicodeScalars.count ?? 0) > 8)
  }

  @Test func bothFormsOfTimesAreThere() throws {
    let edge = try #require(EdgeCase.named("legacy-times"))
    let pets = try edge.answers.compactMap { $0.response as? Announcement }.map { try PetDetails($0) }
    #expect(pets.map(\.updatedAt) == [Timestamp("2024-12-01T14:24:13Z"), Timestamp("2024-12-31T23:59:59Z")])
    #expect(pets.map(\.createdAt) == [Timestamp("2024-11-20T10:30:00Z"), Timestamp("2024-02-29T00:00:00Z")])
    let list = AnimalList(try response("legacy-times", ListAnnouncementsResponse.self).data)
    #expect(list.animals.count == 3 && list.skipped.isEmpty)
  }

  @Test func everyReplyAnswersTheOneBefore() throws {
    let comments = try response("deep-threads", GetCommentsResponse.self).comments
    #expect(comments.dropFirst().map(\.parentCommentId) == comments.dropLast().map(\.id))
    #expect(comments.map(\.createdAt) == comments.map(\.createdAt).sorted())
  }

  @Test func celebrityPagesBelongToOneList() throws {
    let edge = try #require(EdgeCase.named("celebrity"))
    let pages = edge.answers.compactMap { $0.response as? GetFollowersResponse }
    #expect(pages.map(\.hasMore) == [true, true, false])
    #expect(pages.allSatisfy { $0.totalCount == 1_000_000 && $0.userIds.count == 1_000 })
    #expect(Set(pages.flatMap(\.userIds)).count == 3_000)
    let profile = try response("celebrity", GetUserProfileResponse.self).profile
    #expect(profile?.followerCount == 1_000_000)
  }

  private func response<Response>(_ name: String, _ type: Response.Type) throws -> Response {
    let edge = try #require(EdgeCase.named(name))
    return try #require(edge.answers.lazy.compactMap { $0.response as? Response }.first)
  }
}
