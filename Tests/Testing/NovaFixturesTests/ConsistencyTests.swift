import NovaContent
import NovaMedia
import NovaSocial
import NovaUsers
import Testing

@testable import NovaFixtures

/// What must hold in every world, tried in several of different sizes.
@Suite struct ConsistencyTests {
  private static let worlds: [World] = [
    World(seed: Seed(1), unchecked: .init(users: 1)),
    World(seed: Seed(2), unchecked: .init(users: 2, followsPerUser: 50)),
    World(seed: Seed(3), unchecked: .init(users: 17, postsPerUser: 0)),
    World(seed: Seed(4), unchecked: .init(users: 300, followsPerUser: 12, postsPerUser: 2, likesPerPost: 8)),
  ]

  @Test(arguments: worlds) func followersAreWhoFollows(_ world: World) {
    var expected: [Int: Set<Int>] = [:]
    for user in 0..<world.size.users {
      let following = world.following(ofUserAt: user)
      #expect(!following.contains(user) && Set(following).count == following.count)
      for followee in following { expected[followee, default: []].insert(user) }
    }
    for user in 0..<world.size.users {
      #expect(Set(world.followers(ofUserAt: user)) == expected[user] ?? [], "\(user)")
      #expect(world.user(at: user).followerCount == expected[user]?.count ?? 0)
      #expect(world.user(at: user).followingCount == world.following(ofUserAt: user).count)
    }
  }

  @Test(arguments: worlds) func blocksPreventInteractions(_ world: World) {
    for user in 0..<world.size.users {
      for blocked in world.blocked(byUserAt: user) {
        #expect(
          !world.following(ofUserAt: user).contains(blocked) && !world.following(ofUserAt: blocked).contains(user))
        for (one, other) in [(user, blocked), (blocked, user)] {
          let posts = Set(world.posts(ofUserAt: other))
          #expect(posts.isDisjoint(with: world.likedPosts(ofUserAt: one) + world.bookmarks(ofUserAt: one)))
        }
      }
    }
  }

  @Test(arguments: worlds) func likedPostsAreWhatIsLiked(_ world: World) {
    var expected: [Int: Set<Int>] = [:]
    for post in 0..<world.postCount {
      let likers = world.likers(ofPostAt: post)
      #expect(Set(likers).count == likers.count && !likers.contains(world.author(ofPostAt: post)))
      #expect(world.stats(ofPostAt: post).likeCount == Int64(likers.count))
      for user in likers { expected[user, default: []].insert(post) }
    }
    for user in 0..<world.size.users { #expect(Set(world.likedPosts(ofUserAt: user)) == expected[user] ?? []) }
  }

  @Test(arguments: worlds) func postsHaveOneAuthor(_ world: World) {
    var seen = Set<Int>()
    for user in 0..<world.size.users {
      for post in world.posts(ofUserAt: user) {
        #expect(world.author(ofPostAt: post) == user && seen.insert(post).inserted)
      }
    }
    #expect(seen.count == world.postCount)
  }

  @Test(arguments: worlds) func timesAreInOrder(_ world: World) {
    for user in 0..<world.size.users {
      let profile = world.user(at: user)
      #expect(profile.createdAt <= profile.updatedAt && profile.updatedAt <= WorldTime.end)
      let posts = world.posts(ofUserAt: user).map { world.post(at: $0) }
      #expect(posts.map(\.createdAt) == posts.map(\.createdAt).sorted())
      #expect(posts.allSatisfy { $0.createdAt >= profile.createdAt && $0.updatedAt >= $0.createdAt })
      for (list, time) in [
        (world.following(ofUserAt: user), { world.followTime(user, $0) }),
        (world.bookmarks(ofUserAt: user), { world.bookmarkTime(user, $0) }),
      ] { #expect(list.map(time) == list.map(time).sorted(by: >)) }
    }
    for index in 0..<world.postCount {
      let post = world.post(at: index)
      let comments = world.comments(ofPostAt: index)
      let ids = comments.map(\.id)
      for (place, comment) in comments.enumerated() {
        #expect(comment.createdAt >= post.createdAt && comment.createdAt <= WorldTime.end)
        if let parent = ids.firstIndex(of: comment.parentCommentId) { #expect(parent < place) }
        #expect(comment.parentCommentId.isEmpty || ids.contains(comment.parentCommentId))
      }
      #expect(world.likes(ofPostAt: index).allSatisfy { $0.createdAt >= post.createdAt })
    }
  }

  @Test(arguments: worlds) func referencesResolve(_ world: World) {
    let uploads = (0..<world.size.users).flatMap { world.uploads(ofUserAt: $0) }
    let completed = Set(uploads.filter { $0.status == "completed" }.map(\.id))
    let videos = (0..<world.size.users).flatMap { world.videos(ofUserAt: $0) }
    #expect(Set(uploads.map(\.videoId)).subtracting([""]) == Set(videos.map(\.id)))
    #expect((0..<world.size.users).flatMap { world.reels(ofUserAt: $0) }.allSatisfy { completed.contains($0.uploadId) })
    #expect((0..<world.postCount).allSatisfy { completed.isSuperset(of: world.post(at: $0).mediaIds) })
    #expect(uploads.allSatisfy { $0.uploadedSize <= $0.fileSize && ($0.status == "completed") == !$0.url.isEmpty })
  }

  @Test func namesAreUnique() {
    let users = (0..<300).map { Self.worlds[3].user(at: $0) }
    #expect(Set(users.map(\.username)).count == 300 && Set(users.map(\.id)).count == 300)
    let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789_")
    #expect(users.allSatisfy { (3...32).contains($0.username.count) && allowed.isSuperset(of: $0.username) })
  }

  @Test func anyOrderGivesTheSame() async {
    let world = Self.worlds[3]
    let streamed = await world.posts.reduce(into: [Post]()) { $0.append($1) }
    #expect(streamed == (0..<world.postCount).reversed().map { world.post(at: $0) }.reversed())
    #expect(await world.likes.reduce(0) { count, _ in count + 1 } > 0)
    #expect(await world.users.reduce(0) { count, _ in count + 1 } == 300)
  }

  @Test func aFewHaveVeryManyAndSomeFollowBack() {
    let world = World(seed: Seed(5), unchecked: .init(users: 3000, followsPerUser: 15))
    let followers = (0..<3000).map { Set(world.followers(ofUserAt: $0)) }
    let counts = followers.map(\.count).sorted(by: >)
    #expect(counts[0] > 1000 && counts[1500] < 15, "\(counts[0]), median \(counts[1500])")
    let mutual = (0..<3000).reduce(0) { sum, user in
      sum + followers[user].count { followers[$0].contains(user) }
    }
    #expect((200...500).contains(mutual * 1000 / counts.reduce(0, +)), "\(mutual) of \(counts.reduce(0, +))")
  }

  @Test(arguments: [
    (World.Size(users: 0), "users is 0; expected 1 to 100000000"),
    (World.Size(users: 5, followsPerUser: -1), "followsPerUser is -1"),
    (World.Size(users: 100_000_000, followsPerUser: 1000), "users × followsPerUser is 100000000000"),
  ])
  func impossibleSizesAreRefused(_ size: World.Size, _ reason: String) {
    #expect(throws: WorldError.self) { try World(seed: Seed(1), size: size) }
    do { _ = try World(seed: Seed(1), size: size) } catch { #expect(error.description.hasPrefix(reason)) }
  }
}
