import NovaCapture
import NovaContent
import NovaCore
import NovaCrypto
import NovaEvents
import NovaGraph
import NovaMedia
import NovaSocial
import NovaUsers

// Creates what the probes for leaks need: private things, and accounts in the state of each phase. The answers are not
// validated, because other parts of the survey do that. What cannot be created is not probed.

extension SurveyRun {
  /// Brings the accounts into the state of a phase.
  ///
  /// - Returns: whether it succeeded.
  mutating func begin(_ phase: PrivacyPhase, _ world: inout PrivacyWorld) async throws -> Bool {
    let things = world.things.filter { $0.traits.phases.contains(phase) }
    switch phase {
    case .open: try await makeThings(&world)
    case .blocked:
      guard try await block(world.alice, world.bob) else { return skip(things, "no block could be created") }
    case .blocking:
      guard try await block(world.bob, world.alice) else { return skip(things, "no block could be created") }
    case .privateAccount:
      try await follow(world.alice, world.bob)
      guard try await makePrivate(world) else { return skip(things, "the account cannot be made private") }
    case .privateSettings:
      guard try await makeSettingsPrivate(world) else { return skip(things, "the settings cannot be made private") }
    }
    try await touch(phase, &world)
    return true
  }

  /// Undoes the changes at the beginning of a phase.
  mutating func end(_ phase: PrivacyPhase, _ world: PrivacyWorld) async throws {
    switch phase {
    case .open: break
    case .blocked: try await unblock(world.alice, world.bob)
    case .blocking: try await unblock(world.bob, world.alice)
    case .privateAccount:
      try await prepare(UserRPC.updateUserProfile, Self.publicAgain(world), as: "a public profile")
    case .privateSettings:
      try await prepare(UserRPC.updateUserSettings, Self.publicSettings(world), as: "public settings")
    }
  }

  private mutating func skip(_ things: Set<PrivateThing>, _ reason: String) -> Bool {
    for thing in PrivateThing.allCases where things.contains(thing) { skipProbes(thing.traits.name, because: reason) }
    return false
  }

  /// Acts as a user of the world.
  @discardableResult
  private mutating func acting<Result>(
    as user: PrivacyWorld.User, _ body: (inout SurveyRun) async throws -> Result
  ) async rethrows -> Result {
    try await acting(as: user.token.map { .other($0) } ?? .account, body)
  }

  // MARK: Accounts

  private mutating func follow(_ follower: PrivacyWorld.User, _ followee: PrivacyWorld.User) async throws {
    try await acting(as: follower) { survey in
      await survey.created(
        "follow", deletion: GraphRPC.deleteFollow, .init(followerId: follower.id, followeeId: followee.id))
      try await survey.prepare(
        GraphRPC.createFollow, .init(followerId: follower.id, followeeId: followee.id), as: "two users")
    }
  }

  private mutating func block(_ blocker: PrivacyWorld.User, _ blocked: PrivacyWorld.User) async throws -> Bool {
    try await acting(as: blocker) { survey in
      await survey.created(
        "block", deletion: GraphRPC.deleteBlock, .init(blockerId: blocker.id, blockedId: blocked.id))
      return try await survey.prepare(
        GraphRPC.createBlock, .init(blockerId: blocker.id, blockedId: blocked.id), as: "two users")?.success == true
    }
  }

  private mutating func unblock(_ blocker: PrivacyWorld.User, _ blocked: PrivacyWorld.User) async throws {
    try await acting(as: blocker) { survey in
      try await survey.prepare(
        GraphRPC.deleteBlock, .init(blockerId: blocker.id, blockedId: blocked.id), as: "two users")
    }
  }

  private static func publicAgain(_ world: PrivacyWorld) -> UpdateUserProfileRequest {
    UpdateUserProfileRequest(
      userId: world.alice.id, bio: "A check of the contract.", website: "", location: "", isPrivate: false)
  }

  private static func publicSettings(_ world: PrivacyWorld) -> UpdateUserSettingsRequest {
    UpdateUserSettingsRequest(userId: world.alice.id, privacyLevel: "public")
  }

  private mutating func makePrivate(_ world: PrivacyWorld) async throws -> Bool {
    await created("private profile", deletion: UserRPC.updateUserProfile, Self.publicAgain(world))
    let text = world.text(of: .profile) ?? ""
    let profile = try await prepare(
      UserRPC.updateUserProfile,
      .init(
        userId: world.alice.id, bio: text, website: "https://example.com/\(text)", location: text, isPrivate: true),
      as: "a private profile")?.profile
    return profile?.isPrivate == true
  }

  /// Makes the account private by its settings alone.
  private mutating func makeSettingsPrivate(_ world: PrivacyWorld) async throws -> Bool {
    await created("private settings", deletion: UserRPC.updateUserSettings, Self.publicSettings(world))
    try await prepare(
      UserRPC.updateUserProfile, .init(userId: world.alice.id, bio: world.text(of: .profile) ?? ""), as: "a text")
    let settings = try await prepare(
      UserRPC.updateUserSettings, .init(userId: world.alice.id, privacyLevel: "private"), as: "private settings")?
      .settings
    return settings?.privacyLevel == "private"
  }

  // MARK: Private things

  private mutating func makeThings(_ world: inout PrivacyWorld) async throws {
    if let carol = world.carol { try await follow(carol, world.alice) }
    for thing in PrivateThing.posts where world.things.contains(thing) && thing.traits.phases == [.open] {
      world.posts[thing] = try await makePost(thing, world)
      if world.posts[thing] == nil { world.missing[thing] = "it could not be created" }
    }
    if !world.things.isDisjoint(with: [.postAcrossBlock, .postOfPrivateAccount, .bookmarks, .likedPosts]) {
      let post = try await makePost(nil, world)
      for thing in [PrivateThing.postAcrossBlock, .postOfPrivateAccount] {
        world.posts[thing] = post
        if post == nil { world.missing[thing] = "no post could be created" }
      }
      if let post {
        try await prepare(
          ContentRPC.createBookmark, .init(userId: world.alice.id, postId: post.id), as: "a public post")
      }
    }
    if world.things.contains(.upload) {
      world.upload = try await makeUpload(world)
      if world.upload == nil { world.missing[.upload] = "no upload could be completed" }
    }
    (world.video, world.reel) = (discovered.privateVideo ?? "", discovered.privateReel ?? "")
    if world.video.isEmpty { world.missing[.video] = "no private video could be created" }
    if world.reel.isEmpty { world.missing[.reel] = "no private reel could be created" }
    if world.things.contains(.capture) {
      world.capture = try await makeCapture(world)
      if world.capture == nil { world.missing[.capture] = "nothing could be captured" }
    }
  }

  /// Creates a public post that both users have in their lists, and hides it.
  ///
  /// - Parameter thing: how it is hidden; nil for a post that stays public.
  private mutating func makePost(_ thing: PrivateThing?, _ world: PrivacyWorld) async throws -> PrivacyWorld.Post? {
    let (alice, bob, text) = (world.alice.id, world.bob.id, world.text(of: thing ?? .postAcrossBlock) ?? "")
    let name = "a post for probes"
    let request = CreatePostRequest(creatorId: alice, content: text, privacy: "public", status: "published")
    guard let post = try await createPost(request, as: name) else { return nil }
    try await prepare(SocialRPC.createLike, .init(userId: alice, postId: post.id), as: name)
    let comment = try await prepare(
      SocialRPC.createComment, .init(postId: post.id, userId: alice, content: text), as: name)
    try await prepare(SocialRPC.createShare, .init(userId: alice, postId: post.id, shareType: "repost"), as: name)
    try await acting(as: world.bob) { survey in
      try await survey.prepare(SocialRPC.createLike, .init(userId: bob, postId: post.id), as: name)
      try await survey.prepare(ContentRPC.createBookmark, .init(userId: bob, postId: post.id), as: name)
    }
    let made = PrivacyWorld.Post(id: post.id, comment: comment?.comment?.id ?? "")
    guard let hiding = thing?.traits else { return made }
    let update = UpdatePostRequest(postId: post.id, privacy: hiding.privacy, status: hiding.status)
    // A gateway that ignores the field leaves it public.
    guard let hidden = try await prepare(ContentRPC.updatePost, update, as: hiding.name)?.post,
      hiding.privacy.map({ $0 == hidden.privacy }) ?? true, hiding.status.map({ $0 == hidden.status }) ?? true
    else { return nil }
    return made
  }

  /// Creates a post that the check deletes.
  mutating func createPost(_ request: CreatePostRequest, as name: String) async throws -> Post? {
    guard let post = try await prepare(ContentRPC.createPost, request, as: name)?.post, !post.id.isEmpty else {
      return nil
    }
    await created(
      "post \(post.id)", deletion: ContentRPC.deletePost, .init(postId: post.id, deletedById: request.creatorId))
    return post
  }

  private mutating func makeUpload(_ world: PrivacyWorld) async throws -> PrivacyWorld.Upload? {
    let (bytes, name) = (Array("A private file of \(world.marker).\n".utf8), "a file for probes")
    guard let digest = try? SHA256.digest(of: bytes) else { return nil }
    let request = StartUploadRequest(
      userId: world.alice.id, fileName: "nova-contract.txt", fileSize: Int64(bytes.count), contentType: "text/plain")
    guard let start = try await prepare(MediaRPC.startUpload, request, as: name), let upload = start.upload,
      !upload.id.isEmpty
    else { return nil }
    leaveBehind("upload \(upload.id)")
    guard try await calls.put(bytes, to: start.uploadUrl, startedAs: name) else { return nil }
    let complete = CompleteUploadRequest(uploadId: upload.id, sha256: Hexadecimal.encode(digest))
    guard let completed = try await prepare(MediaRPC.completeUpload, complete, as: name)?.upload else { return nil }
    return PrivacyWorld.Upload(id: upload.id, url: completed.url, digest: complete.sha256, bytes: bytes)
  }

  private mutating func makeCapture(_ world: PrivacyWorld) async throws -> Int64? {
    let request = CreateSomethingRequest(content: world.text(of: .capture), contentType: "text")
    guard let capture = try await prepare(CaptureRPC.createSomething, request, as: "a capture for probes"),
      capture.id != 0
    else { return nil }
    await created("something \(capture.id)", deletion: CaptureRPC.deleteSomething, .init(id: capture.id))
    return capture.id
  }

  // MARK: Events

  /// Causes events of the things that are hidden now, and then one of each reader, which the reader may see.
  private mutating func touch(_ phase: PrivacyPhase, _ world: inout PrivacyWorld) async throws {
    guard isChosen(EventRPC.listEvents.descriptor) || isChosen(EventRPC.streamEvents.descriptor) else { return }
    let things = PrivateThing.posts.filter { world.things.contains($0) && $0.traits.phases.contains(phase) }
    guard !things.isEmpty || phase == .privateAccount else { return }
    let now = ListEventsRequest(topics: ["user:\(world.alice.id)"])
    world.position = try await prepare(EventRPC.listEvents, now, as: "the position now")?.nextAfter ?? ""
    for thing in things {
      let update = UpdatePostRequest(postId: world.posts[thing]?.id ?? "", title: "nova-contract, \(phase)")
      if !update.postId.isEmpty { try await prepare(ContentRPC.updatePost, update, as: "another title") }
    }
    for reader in phase.readers {
      guard let user = world.user(reader) else { continue }
      let update = UpdateUserProfileRequest(userId: user.id, bio: "A check of the contract, \(phase).")
      try await acting(as: user) { try await $0.prepare(UserRPC.updateUserProfile, update, as: "another text") }
    }
  }
}
