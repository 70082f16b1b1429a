import NovaAnnouncements
import NovaCapture
import NovaContent
import NovaMedia
import NovaRegistry
import NovaSocial
import NovaTestSupport
import NovaTesting
import NovaUsers
import Testing

@testable import NovaCore

/// An answer about another record than the one that was asked for is not the answer.
@Suite struct OtherRecordTests {
  @Test func theseNameARecord() {
    let rpcs = RPCRegistry.nova.rpcs.filter { $0.namedRecord != nil }
    let listed = [
      "announcements.GetAnnouncement", "auth.GetUser", "capture.GetSomething", "capture.UpdateMeaning",
      "content.DeletePost", "content.GetPost", "content.UpdatePost", "media.CompleteUpload", "media.GetReel",
      "media.GetUpload", "media.GetVideo", "media.UpdateUploadProgress", "social.GetComment", "social.UpdateComment",
      "user.GetUserProfile", "user.GetUserSettings", "user.UpdateUserProfile", "user.UpdateUserSettings",
    ]
    let difference = ListDifference(of: listed, from: rpcs.map(\.id))
    #expect(difference.isEmpty, "\(difference): if the contract means that, change this list")
  }

  /// Every RPC that names a record, with a response that has the same id, another one, and none.
  @Test(arguments: RPCRegistry.nova.rpcs.filter { $0.namedRecord != nil })
  func everyAnswerIsCompared(_ rpc: RPCDescriptor) throws {
    let named = try #require(rpc.namedRecord)
    let field = rpc.requestType.descriptor.fields[named.requestField]
    func id(_ number: Int?) -> JSONValue {
      guard let number else { return .null }
      return field.kind == .string ? .string("id-\(number)") : .number(String(number))
    }
    func answer(_ number: Int?) throws -> any ProtoMessage {
      let fields = rpc.responseType.descriptor.fields
      switch named.place {
      case .response(let place):
        return try rpc.responseType.init(jsonUTF8: JSONValue.members((fields[place].name, id(number))).jsonUTF8)
      case .record(let place, let name):
        guard case .message(let type) = fields[place].kind else { throw CancellationError() }
        let record = try #require(RPCRegistry.nova.message(named: type))
        let isKeyed = record.descriptor.fields.contains { $0.name == name }
        let json = JSONValue.members((fields[place].name, JSONValue.members((isKeyed ? name : "id", id(number)))))
        return try rpc.responseType.init(jsonUTF8: json.jsonUTF8)
      }
    }
    let request = try rpc.requestType.init(jsonUTF8: JSONValue.members((field.name, id(1))).jsonUTF8)
    #expect(OtherRecord(in: try answer(1), to: request, naming: named) == nil)
    #expect(OtherRecord(in: try answer(nil), to: request, naming: named) == nil)
    let other = OtherRecord(in: try answer(2), to: request, naming: named)
    #expect(other?.finding.contains("1\", got \"") == true && other?.finding.hasSuffix("2\"") == true)
    let empty = try rpc.requestType.init(jsonUTF8: Array("{}".utf8))
    #expect(OtherRecord(in: try answer(2), to: empty, naming: named) == nil)
  }

  private func client(_ body: String) throws -> (APIClient, RecordingTransport) {
    let transport = RecordingTransport(status: 200, body)
    return (try APIClient.test(transport), transport)
  }

  @Test func readsOfAnotherRecordAreInvalid() async throws {
    typealias Call = (APIClient) async throws -> Void
    let calls: [(String, String, String, Call)] = [
      (
        "upload", "a", #"{"found":true,"upload":{"id":"b"}}"#,
        { _ = try await MediaService(client: $0).getUpload(uploadId: "a") }
      ),
      (
        "video", "a", #"{"found":true,"video":{"id":"b"}}"#,
        { _ = try await MediaService(client: $0).getVideo(videoId: "a") }
      ),
      (
        "user", "a", #"{"found":true,"profile":{"id":"b","username":"c"}}"#,
        { _ = try await UserService(client: $0).getUserProfile(userId: "a") }
      ),
      (
        "user", "a", #"{"settings":{"user_id":"b"}}"#,
        { _ = try await UserService(client: $0).getUserSettings(userId: "a") }
      ),
      (
        "post", "a", #"{"found":true,"post":{"id":"b"}}"#,
        { _ = try await ContentService(client: $0).getPost(postId: "a") }
      ),
      (
        "something", "7", #"{"id":8,"contentType":"text"}"#,
        { _ = try await CaptureService(client: $0).get(id: 7) }
      ),
      (
        "comment", "a", #"{"comment":{"id":"b","post_id":"c"}}"#,
        { _ = try await SocialService(client: $0).getComment(commentId: "a") }
      ),
    ]
    for (noun, asked, body, call) in calls {
      let (client, transport) = try client(body)
      let error = await apiError { try await call(client) }
      #expect(error?.code == .invalidResponse, "\(body): \(error as Any)")
      let got = asked == "7" ? "8" : "b"
      #expect(
        error?.message == "the response is about another \(noun): expected \"\(asked)\", got \"\(got)\"",
        "\(error as Any)")
      #expect(transport.requests.count == 1)
      // The same record, or none of which the id is known.
      for right in [
        body.replacing("\"b\"", with: "\"a\"").replacing(":8", with: ":7"), body.replacing("\"b\"", with: "\"\""),
      ]
      where right != body {
        #expect(await apiError { try await call(try self.client(right).0) } == nil, "\(right)")
      }
    }
  }

  /// The change may have been made, so it is not to be repeated.
  @Test func changesOfAnotherRecordAreUnconfirmed() async throws {
    let (client, transport) = try client(#"{"success":true,"post":{"id":"b","content":"x"}}"#)
    let error = await apiError { try await ContentService(client: client).updatePost(postId: "a", content: "x") }
    #expect(error?.code == .unconfirmed, "\(error as Any)")
    #expect(error?.message.contains("another post: expected \"a\", got \"b\"; read the post") == true)
    #expect(transport.requests.count == 1)
  }

  /// Servers name records in more than one way.
  @Test(arguments: [
    ("ABC-1", "abc-1"), ("6B29FC40-CA47-1067-B31D-00DD010662DA", "6b29fc40ca471067b31d00dd010662da"),
    ("users/42", "42"), ("42", "users/42"), ("urn:user:42", "42"), ("me", "42"), ("self", "42"), ("bruce", "42"),
    ("@Bruce", "42"), ("bruce@nova.social", "42"),
  ]) func otherNamesOfARecordAreAccepted(asked: String, answered: String) async throws {
    let (client, _) = try client(
      #"{"found":true,"profile":{"id":"\#(answered)","username":"bruce","email":"bruce@nova.social"}}"#)
    #expect(try await UserService(client: client).getUserProfile(userId: asked).id == answered)
  }
}
