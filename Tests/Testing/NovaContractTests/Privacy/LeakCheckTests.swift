import NovaCore
import Testing

@testable import NovaContract

/// What counts as a leak, and what does not. docs/contract-check.md shows the first finding.
@Suite struct LeakCheckTests {
  struct Answer: Sendable, CustomTestStringConvertible {
    let rpc: String
    let thing: PrivateThing
    let status: Int
    let body: String
    let finding: String?
    var testDescription: String { "\(rpc), \(thing): \(status) \(body)" }

    init(_ rpc: String, _ thing: PrivateThing, status: Int = 200, body: String, finding: String? = nil) {
      (self.rpc, self.thing, self.status, self.body, self.finding) = (rpc, thing, status, body, finding)
    }
  }

  private static let leaks = [
    Answer(
      "content.GetPost", .privatePost, body: #"{"found":true,"post":{"id":"post-privatePost","creator_id":"alice"}}"#,
      finding: "leak: GetPost shows alice's private post to bob, a stranger; answer found:false"),
    // Without the post, its existence is shown.
    Answer(
      "content.GetPost", .draft, body: #"{"found":true}"#,
      finding: "leak: GetPost shows alice's draft to bob, a stranger; answer found:false"),
    Answer(
      "content.GetPost", .draft, body: #"{"found":false,"post":{"id":"post-draft"}}"#,
      finding: "leak: GetPost shows alice's draft to bob, a stranger; answer found:false"),
    // The text of a refusal has the post's text.
    Answer(
      "content.GetPost", .archivedPost, status: 403, body: #"{"code":7,"message":"\"markarchivedPost\" is archived"}"#,
      finding: "leak: GetPost shows alice's archived post to bob, a stranger; answer found:false"),
    Answer(
      "content.CheckPostExists", .followersPost, body: #"{"exists":true}"#,
      finding: "leak: CheckPostExists confirms alice's followers-only post to bob, a stranger; answer exists:false"),
    Answer(
      "social.GetLikeCount", .privatePost, body: #"{"count":"2"}"#,
      finding: "leak: GetLikeCount counts the likes of alice's private post for bob, a stranger; answer NOT_FOUND"),
    Answer(
      "social.GetPostLikes", .privatePost, body: #"{"userIds":["alice"]}"#,
      finding: "leak: GetPostLikes shows the likes of alice's private post to bob, a stranger; answer NOT_FOUND"),
    Answer(
      "social.CreateLike", .privatePost, body: #"{"success":true,"like_count":3}"#,
      finding: "leak: CreateLike accepts a like of alice's private post from bob, a stranger; answer NOT_FOUND"),
    Answer(
      "user.GetUserProfile", .email, body: #"{"profile":{"id":"alice","email":"alice@example.com"}}"#,
      finding: "leak: GetUserProfile shows alice's e-mail address to bob, a stranger; answer without it"),
    Answer(
      "user.GetUserProfile", .profile, body: #"{"profile":{"id":"alice","website":"https://example.com/markprofile"}}"#,
      finding:
        "leak: GetUserProfile shows private fields of alice's private profile to bob, a stranger; answer without it"),
    Answer(
      "user.GetUserSettings", .settings, body: #"{"settings":{"user_id":"alice"}}"#,
      finding: "leak: GetUserSettings shows alice's settings to bob, a stranger; answer PERMISSION_DENIED or NOT_FOUND"),
    Answer(
      "capture.GetSomething", .capture, body: #"{"id":7,"userId":"alice","contentType":"text"}"#,
      finding: "leak: GetSomething shows alice's capture to bob, a stranger; answer PERMISSION_DENIED or NOT_FOUND"),
    Answer(
      "media.CreateVideo", .upload, body: #"{"video":{"id":"video-2","creator_id":"bob"}}"#,
      finding:
        "leak: CreateVideo makes a video of alice's unpublished upload for bob, a stranger; answer PERMISSION_DENIED or NOT_FOUND"
    ),
    Answer(
      "event.ListEvents", .privatePost,
      body: #"{"events":[{"id":"1:2","type":"post.updated","post_id":"post-privatePost"}]}"#,
      finding: "leak: ListEvents shows the events of alice's private post to bob, a stranger; answer PERMISSION_DENIED"),
    Answer(
      "event.StreamEvents", .privatePost,
      body: "retry: 1\n\nid: 1:2\nevent: post.updated\ndata: {\"id\":\"1:2\",\"post_id\":\"post-privatePost\"}\n\n",
      finding:
        "leak: StreamEvents shows the events of alice's private post to bob, a stranger; answer PERMISSION_DENIED"),
  ]

  private static let harmless = [
    Answer("content.GetPost", .privatePost, body: #"{"found":false}"#),
    Answer("content.GetPost", .privatePost, body: "{}"),
    Answer("content.GetPost", .privatePost, body: #"{"post":null,"found":false,"error":null}"#),
    Answer("content.CheckPostExists", .privatePost, body: #"{"exists":false}"#),
    Answer("social.GetLikeCount", .privatePost, body: #"{"count":0}"#),
    Answer("social.GetPostLikes", .privatePost, body: #"{"likes":[],"total_count":0,"has_more":false}"#),
    Answer("social.GetComment", .privatePost, body: #"{"comment":null}"#),
    Answer(
      "social.GetLikeCount", .privatePost, status: 404,
      body: #"{"code":5,"message":"not found: post \"post-privatePost\""}"#),
    Answer(
      "social.CreateLike", .privatePost, status: 404,
      body: #"{"code":5,"message":"not found: post \"post-privatePost\""}"#),
    Answer("social.CreateLike", .privatePost, body: #"{"success":false,"message":"no such post"}"#),
    Answer(
      "event.ListEvents", .privatePost, status: 403,
      body: #"{"code":7,"message":"the topic \"post:post-privatePost\" is private"}"#),
    Answer("user.GetUserSettings", .settings, status: 403, body: #"{"code":7,"message":"no"}"#),
    Answer("user.GetUserSettings", .settings, status: 404, body: ""),
    Answer("user.GetUserSettings", .settings, status: 401, body: ""),
    Answer("user.GetUserProfile", .email, body: #"{"profile":{"id":"alice","username":"alice"}}"#),
    Answer("user.GetUserProfile", .profile, body: #"{"profile":{"id":"alice","is_private":true,"follower_count":1}}"#),
    Answer("graph.GetFollowers", .followers, body: #"{"user_ids":[],"total_count":1}"#),
    Answer("media.GetUpload", .upload, body: #"{"found":false}"#),
    Answer("media.CreateVideo", .upload, status: 400, body: #"{"code":9,"message":"upload is not the creator's"}"#),
    Answer("capture.GetSomething", .capture, status: 404, body: #"{"detail":"Not found"}"#),
  ]

  /// Differences, but no leaks.
  private static let tolerated = [
    Answer("content.GetPost", .privatePost, status: 403, body: #"{"code":7,"message":"no"}"#, finding: "status 403"),
    Answer("content.GetPost", .privatePost, status: 404, body: "", finding: "status 404"),
    Answer(
      "social.CreateLike", .privatePost, status: 403,
      body: #"{"error":{"code":"FORBIDDEN","message":"post-privatePost"}}"#,
      finding: "status 403"),
    Answer("event.ListEvents", .privatePost, status: 404, body: "", finding: "status 404"),
    Answer(
      "event.ListEvents", .privatePost, body: #"{"events":[],"next_after":"1:9"}"#,
      finding: "status 200, without anything that is private"),
    Answer(
      "event.ListEvents", .privatePost, body: #"{"events":[]}"#, finding: "status 200, without anything that is private"
    ),
  ]

  private func findings(_ answer: Answer) throws -> [Finding] {
    let surface = try #require(
      LeakSurface.all.first { $0.rpc.id == answer.rpc && $0.things.contains(answer.thing) && $0.scope != .together }
        ?? LeakSurface.all.first { $0.rpc.id == answer.rpc && $0.things.contains(answer.thing) })
    let context = LeakContext(world: .sample, reader: .stranger, things: [answer.thing])
    let question = try #require(surface.questions(context).first)
    let check = LeakCheck(LeakProbe(surface: surface, reader: .stranger, question: question), .sample)
    let type = surface.rpc.isServerStreaming ? "text/event-stream" : "application/json"
    let response = HTTPResponse(status: answer.status, headers: ["Content-Type": type], body: Array(answer.body.utf8))
    guard case .findings(let findings) = check.verdict(on: response) else { return [] }
    return findings
  }

  @Test(arguments: leaks) func leaksAreFound(_ answer: Answer) throws {
    let findings = try findings(answer)
    #expect(findings.map(\.found) == [answer.finding])
    #expect(findings.allSatisfy { $0.kind == .leak && $0.grade == .breaking && $0.path.isEmpty })
  }

  @Test(arguments: harmless) func rightAnswersAreNone(_ answer: Answer) throws {
    #expect(try findings(answer) == [])
  }

  @Test(arguments: tolerated) func otherRefusalsAreTolerated(_ answer: Answer) throws {
    let findings = try findings(answer)
    #expect(findings.map(\.found) == [answer.finding])
    #expect(findings.allSatisfy { $0.kind != .leak && $0.grade == .tolerated })
  }

  /// A list that leaves posts out must not count them; another total may be one of the gateway's own.
  @Test(arguments: [1: "", 2: "", 5: "total_count 5 with 1 item", 6: "total_count 6 with 1 item"])
  func totalsOfHiddenPostsAreLeaks(_ total: Int, _ text: String) throws {
    let surface = try #require(LeakSurface.all.first { $0.rpc.id == "content.GetPostsByAuthor" })
    let hidden: [PrivateThing] = [.privatePost, .followersPost, .draft, .archivedPost]
    let question = try #require(
      surface.questions(LeakContext(world: .sample, reader: .stranger, things: hidden)).first)
    let check = LeakCheck(LeakProbe(surface: surface, reader: .stranger, question: question), .sample)
    let body = #"{"posts":[{"id":"post-postAcrossBlock"}],"total_count":\#(total),"has_more":false}"#
    guard case .findings(let findings) = check.verdict(on: .json(200, body)) else { return }
    #expect(findings.count == (text.isEmpty ? 0 : 1))
    if !text.isEmpty { #expect(findings.first?.found.contains(text) == true) }
  }

  @Test func whatIsNotSupportedIsNoFinding() throws {
    for status in [405, 501] {
      #expect(try findings(Answer("content.GetPost", .privatePost, status: status, body: "")) == [])
    }
  }
}
