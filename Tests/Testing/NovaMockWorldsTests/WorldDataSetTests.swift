import NovaAnnouncements
import NovaAuth
import NovaCapture
import NovaCore
import NovaFixtures
import NovaMedia
import NovaMock
import NovaMockWorlds
import NovaUsers
import NovaTestSupport
import Testing

/// Compares the backend's responses with the world: users and their data. ``WorldPostTests`` covers the rest.
@Suite struct WorldDataSetTests {
  @Test(arguments: WorldSession.sizes) func profilesSettingsAndAccounts(_ size: World.Size) throws {
    let (session, world) = try WorldSession.make(size)
    for user in 0..<size.users {
      let id = world.userID(at: user)
      let profile = world.user(at: user)
      #expect(try session.call(UserRPC.getUserProfile, GetUserProfileRequest(userId: id)).profile == profile)
      let settings = try session.call(UserRPC.getUserSettings, GetUserSettingsRequest(userId: id)).settings
      var expected = world.settings(at: user)
      // The profile decides whether an account is private.
      if profile.isPrivate || expected.privacyLevel == "private" {
        expected.privacyLevel = profile.isPrivate ? "private" : "public"
      }
      #expect(settings == expected)
      #expect(try session.call(AuthRPC.getUser, GetUserRequest(userId: id)).user == world.account(at: user))
      let found = try session.call(UserRPC.searchUsers, SearchUsersRequest(query: profile.username)).profiles
      #expect(found.first == profile)
    }
    let ids = (0..<min(100, size.users)).map(world.userID)
    let batch = try session.call(UserRPC.getUserProfilesByIds, GetUserProfilesByIdsRequest(userIds: ids))
    #expect(batch.profiles == ids.indices.map(world.user))
  }

  @Test func nobodyLogsInToItsAccounts() throws {
    let (session, world) = try WorldSession.make(World.Size(users: 3))
    let login = LoginRequest(email: world.account(at: 0).email, password: "mock-password")
    for _ in 0..<5 { #expect(try session.refusal(AuthRPC.login, login)?.status == 401) }
    let register = RegisterRequest(email: "new@example.com", username: "newcomer", password: "a-password")
    let tokens = try session.call(AuthRPC.register, register)
    let valid = try session.call(AuthRPC.verifyToken, VerifyTokenRequest(token: tokens.token))
    #expect(valid.isValid && valid.userId == tokens.userId)
    let taken = RegisterRequest(email: world.account(at: 1).email, username: "another", password: "a-password")
    #expect(try session.refusal(AuthRPC.register, taken)?.status == 409)
  }

  @Test(arguments: WorldSession.sizes) func uploadsVideosAndReels(_ size: World.Size) throws {
    let (session, world) = try WorldSession.make(size)
    for user in 0..<size.users {
      for upload in world.uploads(ofUserAt: user) {
        #expect(try session.call(MediaRPC.getUpload, GetUploadRequest(uploadId: upload.id)).upload == upload)
      }
      let videos = world.videos(ofUserAt: user)
      let list = try session.call(
        MediaRPC.getUserVideos, GetUserVideosRequest(userId: world.userID(at: user), limit: 100))
      #expect(list.videos == videos.reversed())
      for video in videos {
        #expect(try session.call(MediaRPC.getVideo, GetVideoRequest(videoId: video.id)).video == video)
      }
      for reel in world.reels(ofUserAt: user) {
        #expect(try session.call(MediaRPC.getReel, GetReelRequest(reelId: reel.id)).reel == reel)
      }
    }
    let reels = (0..<size.users).flatMap(world.reels).sorted { ($1.createdAt, $1.id) < ($0.createdAt, $0.id) }
    #expect(try session.call(MediaRPC.listReels, ListReelsRequest(limit: 100)).reels == Array(reels.prefix(100)))
  }

  @Test(arguments: WorldSession.sizes) func somethingsAndAnnouncements(_ size: World.Size) throws {
    let (session, world) = try WorldSession.make(size)
    let own = world.somethings(ofUserAt: 0)
    let listed = try session.call(CaptureRPC.listSomethings, ListSomethingsRequest(limit: 100)).somethings
    #expect(listed == own.reversed(), "the first user's, where there is no token")
    for something in own {
      #expect(try session.call(CaptureRPC.getSomething, GetSomethingRequest(id: something.id)) == something)
    }
    let announcements = (0..<world.announcementCount).map(world.announcement)
    #expect(
      try session.call(AnnouncementsRPC.listAnnouncements, ListAnnouncementsRequest()).data == announcements)
    for pet in announcements {
      #expect(try session.call(AnnouncementsRPC.getAnnouncement, GetAnnouncementRequest(id: pet.id)) == pet)
    }
  }

  @Test(arguments: WorldSession.sizes) func everythingIsThereAndNothingElse(_ size: World.Size) throws {
    let (session, world) = try WorldSession.make(size)
    let (users, posts) = (0..<size.users, 0..<world.postCount)
    let counts = session.backend.counts
    #expect(counts.users == size.users && counts.accounts == size.users && counts.posts == world.postCount)
    #expect(counts.follows == users.reduce(0) { $0 + world.following(ofUserAt: $1).count })
    #expect(counts.likes == posts.reduce(0) { $0 + world.likers(ofPostAt: $1).count })
    #expect(counts.comments == posts.reduce(0) { $0 + world.commentCount(ofPostAt: $1) })
    #expect(counts.shares == posts.reduce(0) { $0 + world.sharers(ofPostAt: $1).count })
    #expect(counts.bookmarks == users.reduce(0) { $0 + world.bookmarks(ofUserAt: $1).count })
    #expect(counts.uploads == users.reduce(0) { $0 + world.uploads(ofUserAt: $1).count })
    #expect(counts.videos == users.reduce(0) { $0 + world.videos(ofUserAt: $1).count })
    #expect(counts.reels == users.reduce(0) { $0 + world.reels(ofUserAt: $1).count })
    #expect(counts.somethings == users.reduce(0) { $0 + world.somethings(ofUserAt: $1).count })
    #expect(counts.announcements == world.announcementCount)
  }

  @Test func newEntitiesGetUnusedIDs() throws {
    let (session, world) = try WorldSession.make(World.Size(users: 30))
    let somethings = Set((0..<30).flatMap(world.somethings).map(\.id))
    let captured = try session.call(
      CaptureRPC.createSomething, CreateSomethingRequest(content: "new", contentType: "text"))
    #expect(!somethings.contains(captured.id))
    let start = StartUploadRequest(userId: "user-1", fileName: "a", fileSize: 1)
    let upload = try session.call(MediaRPC.startUpload, start).upload
    #expect(upload.map { new in !(0..<30).flatMap(world.uploads).contains { $0.id == new.id } } == true)
  }

  @Test func nameIdentifiesTheWorld() throws {
    let sizes = [World.Size(users: 3), World.Size(users: 3, postsPerUser: 1)]
    let names = try sizes.flatMap { size in
      try [1, 2].map { MockDataSet.world(try World(seed: Seed($0), size: size)).name }
    }
    #expect(names.first == "world(nova1:1,3,10,3,5,2)")
    #expect(Set(names).count == 4)
  }
}
