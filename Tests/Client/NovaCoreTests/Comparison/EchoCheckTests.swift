import NovaCapture
import NovaContent
import NovaCore
import NovaMedia
import NovaRegistry
import NovaSocial
import NovaTestSupport
import NovaUsers
import Testing

/// Comparing responses with the values that were sent.
@Suite struct EchoCheckTests {
  @Test func theseAnswerWithTheRecord() {
    let rpcs = RPCRegistry.nova.rpcs.filter(\.returnsRecord).filter { rpc in
      let record = rpc.requestType.descriptor.fields.map(\.name)
      let held = rpc.responseType.descriptor.fields.flatMap { field -> [String] in
        guard case .message(let name) = field.kind else { return [field.name] }
        return RPCRegistry.nova.message(named: name)?.descriptor.fields.map(\.name) ?? []
      }
      return !Set(record).isDisjoint(with: held)
    }
    let listed = [
      "capture.CreateSomething", "capture.UpdateMeaning", "content.CreatePost", "content.UpdatePost",
      "media.CreateReel", "media.CreateVideo", "media.UpdateUploadProgress", "social.CreateComment",
      "social.UpdateComment", "user.UpdateUserProfile", "user.UpdateUserSettings",
    ]
    let difference = ListDifference(of: listed, from: rpcs.map(\.id))
    #expect(difference.isEmpty, "\(difference): if the contract means that, change this list")
  }

  /// Each field of each of those, lost by itself: sent with a value, answered without.
  @Test(arguments: RPCRegistry.nova.rpcs.filter(\.returnsRecord))
  func everyFieldIsMissed(_ rpc: RPCDescriptor) throws {
    for field in rpc.requestType.descriptor.fields {
      guard let value = Self.sample(field), let (record, name) = Self.record(of: rpc, with: field) else { continue }
      let request = try Self.message(rpc.requestType, [field.name: value])
      let whole = try Self.answer(rpc, field: name, record: Self.message(record, [field.name: value]))
      #expect(EchoCheck(of: rpc, request: request, response: whole).lost.isEmpty, "\(rpc.id) \(field.name)")
      // The record needs at least one other value, or it counts as missing.
      let other = try Self.answer(rpc, field: name, record: Self.message(record, ["created_at": .number("5")]))
      #expect(
        EchoCheck(of: rpc, request: request, response: other).lost.map(\.name) == [field.name],
        "\(rpc.id) \(field.name)")
    }
  }

  private static func sample(_ field: FieldDescriptor) -> JSONValue? {
    let value: JSONValue
    switch field.kind {
    case .string: value = .string("sample-\(field.name)")
    case .bool: value = .bool(true)
    case .int32, .int64: value = .number("7")
    default: return nil
    }
    return field.cardinality == .repeated ? .array([value]) : value
  }

  /// The record in an RPC's answer that has this field, and where it stands; nil for the answer itself.
  private static func record(
    of rpc: RPCDescriptor, with field: FieldDescriptor
  ) -> (type: any ProtoMessage.Type, name: String?)? {
    for holder in rpc.responseType.descriptor.fields {
      if case .message(let name) = holder.kind, holder.name != "error",
        let type = RPCRegistry.nova.message(named: name)
      {
        return type.descriptor.fields.contains { $0.name == field.name } ? (type, holder.name) : nil
      }
    }
    let isHere = rpc.responseType.descriptor.fields.contains { $0.name == field.name }
    return isHere ? (rpc.responseType, nil) : nil
  }

  private static func message(
    _ type: any ProtoMessage.Type, _ values: [String: JSONValue]
  ) throws -> any ProtoMessage {
    let known = values.filter { name, _ in type.descriptor.fields.contains { $0.name == name && $0.kind != .timestamp }
    }
    return try type.init(jsonUTF8: JSONValue.object(known.map { .init(name: $0.key, value: $0.value) }).jsonUTF8)
  }

  private static func answer(
    _ rpc: RPCDescriptor, field name: String?, record: any ProtoMessage
  ) throws -> any ProtoMessage {
    let record = try JSONValue(jsonUTF8: try record.jsonUTF8(ProtoJSONOptions()))
    guard let name else { return try rpc.responseType.init(jsonUTF8: record.jsonUTF8) }
    let json = JSONValue.object([.init(name: "success", value: .bool(true)), .init(name: name, value: record)])
    return try rpc.responseType.init(jsonUTF8: json.jsonUTF8)
  }

  @Test(arguments: [
    ("A walk", "A walk", true), ("  A walk\n", "A walk", true), ("a\r\nb", "a\nb", true),
    ("Tom & \"Jerry\" <3", "Tom &amp; &quot;Jerry&quot; &lt;3", true), ("e\u{301}", "\u{e9}", true),
    ("A\u{200B} walk", "A walk", true), ("PUBLIC", "public", true), ("   ", "", true), ("A walk", "", false),
  ])
  func serversMayTidyTextsButNotLoseThem(sent: String, kept: String, isKept: Bool) {
    let check = Self.check(sent, kept)
    #expect(check.lost.map(\.name) == (isKept ? [] : ["content"]))
    #expect(check.changed.isEmpty && check.warnings.isEmpty)
  }

  private static func check(_ sent: String, _ kept: String) -> EchoCheck {
    EchoCheck(
      of: ContentRPC.createPost.descriptor, request: CreatePostRequest(creatorId: "u", content: sent),
      response: CreatePostResponse(post: Post(id: "p", creatorId: "u", content: kept, createdAt: 1)))
  }

  /// Moderated, shortened, sanitized, link-wrapped: the write took effect.
  @Test(arguments: [
    ("What a damn fine walk", "What a **** fine walk"), ("A very long text", "A very lo\u{2026}"), ("A walk", "A w"),
    ("Hello <b>you</b>", "Hello you"), ("see https://nova.example/a", "see https://t.example/x1"), ("A walk", "A run"),
    ("private", "public"), ("ﬁne", "fine"), ("“quoted”", "\"quoted\""), ("a — b", "a - b"), ("👍🏽", "👍"),
    ("x", "[removed]"),
  ])
  func aChangedTextIsAWarning(_ sent: String, _ kept: String) {
    let check = Self.check(sent, kept)
    #expect(check.lost.isEmpty && check.changed.map(\.name) == ["content"])
    #expect(check.warnings == ["the server changed the content that was sent"])
  }

  /// A choice that the server has not read is missing: its record has what it chooses itself.
  @Test func aChoiceInPlaceOfTheSentOneIsMissing() {
    func check(_ request: CreatePostRequest, _ post: Post) -> EchoCheck {
      EchoCheck(
        of: ContentRPC.createPost.descriptor, request: request, response: CreatePostResponse(post: post))
    }
    let secret = CreatePostRequest(creatorId: "u", content: "x", privacy: "private", status: "draft")
    let shown = Post(id: "p", creatorId: "u", content: "x", privacy: "Public", status: "published")
    #expect(check(secret, shown).lost.map(\.name) == ["privacy", "status"])
    let published = CreatePostRequest(creatorId: "u", content: "x", privacy: "public", status: "published")
    let held = Post(id: "p", creatorId: "u", content: "x", privacy: "followers", status: "in_review")
    #expect(check(published, held).lost.isEmpty)
    #expect(check(published, held).changed.map(\.name) == ["privacy", "status"])
  }

  /// The call succeeds, so that nobody repeats it, and its report names the field.
  @Test func aChangedRecordIsReturned() async throws {
    let log = CapturedLog()
    let transport = RecordingTransport(#"{"post":{"id":"p7","creator_id":"u","content":"a *** text"}}"#)
    let client = try APIClient.test(transport, logger: log.logger)
    let response = try await client.respond(
      ContentRPC.createPost, CreatePostRequest(creatorId: "u", content: "a bad text"))
    #expect(response.value.post?.content == "a *** text")
    #expect(response.report.changedFields == ["content"])
    #expect(response.report.warnings == ["the server changed the content that was sent"])
    #expect(log.lines.contains { $0.contains("changed the content") }, "\(log.lines)")
    #expect(!log.lines.contains { $0.contains("bad text") }, "\(log.lines)")
  }

  /// What looks like the beginning of an entity is read a few characters far, not to the end of the text.
  @Test func manyAmpersandsAreReadOnce() {
    let text = String(repeating: "&", count: 300_000) + ";"
    let check = EchoCheck(
      of: ContentRPC.createPost.descriptor, request: CreatePostRequest(creatorId: "u", content: "&\(text)"),
      response: CreatePostResponse(post: Post(id: "p", creatorId: "u", content: "&amp;\(text)", createdAt: 1)))
    #expect(check.lost.isEmpty)
  }

  @Test func addressesAndIdsAreTheServersOwn() {
    let request = UpdateUserProfileRequest(
      userId: "me", displayName: "Ada", avatarUrl: "/media/a.png", website: "example.com")
    let profile = UserProfile(
      id: "u1", displayName: "Ada", avatarUrl: "https://cdn.example/a.png", website: "https://example.com/")
    let rpc = UserRPC.updateUserProfile.descriptor
    #expect(EchoCheck(of: rpc, request: request, response: UpdateUserProfileResponse(profile: profile)).lost.isEmpty)
    let lost = EchoCheck(
      of: rpc, request: request, response: UpdateUserProfileResponse(profile: UserProfile(id: "u1", displayName: "Ada"))
    )
    #expect(lost.lost.map(\.name) == ["avatar_url", "website"])
    #expect(lost.record?.recordID == "u1")
  }

  @Test func whatIsTurnedOffMustBeOff() {
    let rpc = UserRPC.updateUserSettings.descriptor
    let request = UpdateUserSettingsRequest(userId: "u", emailNotifications: false, timezone: "")
    let kept = UpdateUserSettingsResponse(
      settings: UserSettings(userId: "u", emailNotifications: true, timezone: "UTC"))
    #expect(
      EchoCheck(of: rpc, request: request, response: kept).lost.map(\.name) == ["email_notifications", "timezone"])
    let done = UpdateUserSettingsResponse(settings: UserSettings(userId: "u", pushNotifications: true))
    #expect(EchoCheck(of: rpc, request: request, response: done).lost.isEmpty)
  }

  @Test func ofListsAPartIsAWarningAndNothingAnError() {
    let rpc = ContentRPC.createPost.descriptor
    let request = CreatePostRequest(creatorId: "u", content: "x", mediaIds: ["a", "b"])
    func check(_ ids: [String]) -> EchoCheck {
      EchoCheck(
        of: rpc, request: request,
        response: CreatePostResponse(post: Post(id: "p", creatorId: "u", content: "x", mediaIds: ids)))
    }
    #expect(check(["a", "b"]).warnings.isEmpty && check(["a", "b"]).lost.isEmpty)
    #expect(check(["b"]).warnings == ["the record holds only some of the media_ids that were sent"])
    #expect(check(["b"]).lost.isEmpty)
    #expect(check(["b"]).changed.map(\.name) == ["media_ids"])
    #expect(check([]).lost.map(\.name) == ["media_ids"])
    #expect(check(["c"]).lost.isEmpty)
    #expect(check(["c"]).warnings == ["the server changed the media_ids that were sent"])
  }

  @Test func whatWasNotDoneIsAnotherError() {
    let request = CreateCommentRequest(postId: "p", userId: "u", content: "x")
    let refusal = CreateCommentResponse(success: false, comment: Comment(id: ""), message: "no")
    #expect(EchoCheck(of: SocialRPC.createComment.descriptor, request: request, response: refusal).lost.isEmpty)
    let nothing = CreatePostResponse()
    let post = CreatePostRequest(creatorId: "u", content: "x")
    #expect(
      EchoCheck(of: ContentRPC.createPost.descriptor, request: post, response: nothing).lost.isEmpty,
      "the service says what is missing")
  }

  @Test func listsThatAreNotWhatWasAskedForWarn() async throws {
    let body = """
      {"posts":[{"id":"1","status":"published"},{"id":"2","status":"draft"},{"id":"3","status":"draft"}],"total_count":3}
      """
    let log = CapturedLog()
    let client = try APIClient.test(RecordingTransport(body), logger: log.logger)
    let response = try await client.respond(
      ContentRPC.getPostsByAuthor, GetPostsByAuthorRequest(authorId: "u", status: "draft", limit: 2))
    #expect(
      response.report.warnings == [
        "the page has 3 items though at most 2 were asked for: limit was not read",
        "1 of 3 items have another status than was asked for",
      ])
    #expect("\(response.report)".contains("warning: the page has 3 items"))
    #expect(log.lines.contains { $0.contains("limit was not read") }, "\(log.lines)")
    let quiet = try await client.respond(ContentRPC.getPostsByAuthor, GetPostsByAuthorRequest(authorId: "u"))
    #expect(quiet.report.warnings.isEmpty)
  }

  @Test func itIsNeverRepeated() async throws {
    let transport = RecordingTransport(#"{"post":{"id":"p7","creator_id":"u","content":""}}"#)
    let client = try APIClient.test(
      transport, resilience: Resilience(retry: RetryPolicy(rules: []), budget: nil, breaker: nil))
    let error = await apiError {
      try await client.call(ContentRPC.createPost, CreatePostRequest(creatorId: "u", content: "A secret text"))
    }
    #expect(error?.code == .unconfirmed)
    #expect(error?.unconfirmedRecord == UnconfirmedRecord(id: "p7", fields: ["content"]))
    #expect(transport.requests.count == 1)
    #expect(
      error?.message
        == "the server created the record, but without the content that was sent; "
        + "correct or delete it, and do not repeat the call: the record exists")
    #expect(error?.report?.failure == .unconfirmed)
  }
}
