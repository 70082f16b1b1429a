import NovaContent
import NovaCore
import NovaFixtures
import NovaGraph
import NovaMock
import NovaMockWorlds
import NovaSocial
import NovaUsers
import NovaTestSupport
import Testing

/// Compares the backend's responses with the world: follows, and posts with their reactions.
@Suite struct WorldPostTests {
  @Test(arguments: WorldSession.sizes) func followersAndFollowing(_ size: World.Size) throws {
    let (session, world) = try WorldSession.make(size)
    for user in 0..<size.users {
      let id = world.userID(at: user)
      let followers = try session.call(GraphRPC.getFollowers, GetFollowersRequest(userId: id, limit: 1000))
      #expect(followers.userIds == world.followers(ofUserAt: user).map(world.userID))
      #expect(followers.totalCount == followers.userIds.count)
      let expected = world.following(ofUserAt: user)
      let following = try session.call(GraphRPC.getFollowing, GetFollowingRequest(userId: id, limit: 1000))
      #expect(following.userIds == expected.map(world.userID) && following.totalCount == expected.count)
      let others = (0..<min(100, size.users)).map(world.userID)
      let isFollowing = try session.call(
        GraphRPC.batchCheckFollowing, BatchCheckFollowingRequest(followerId: id, followeeIds: others)
      ).results
      #expect(Set(isFollowing.filter(\.value).keys) == Set(expected.map(world.userID)).intersection(others))
    }
  }

  @Test(arguments: WorldSession.sizes) func blocksMutesAndRelationships(_ size: World.Size) throws {
    let (session, world) = try WorldSession.make(size)
    for user in 0..<size.users {
      let (blocked, muted) = (world.blocked(byUserAt: user), world.muted(byUserAt: user))
      let following = world.following(ofUserAt: user)
      for other in 0..<size.users {
        let (id, otherID) = (world.userID(at: user), world.userID(at: other))
        let isBlocked = IsBlockedRequest(blockerId: id, blockedId: otherID)
        #expect(try session.call(GraphRPC.isBlocked, isBlocked).isBlocked == blocked.contains(other))
        let isMuted = IsMutedRequest(muterId: id, muteeId: otherID)
        #expect(try session.call(GraphRPC.isMuted, isMuted).isMuted == muted.contains(other))
        let isFollowing = IsFollowingRequest(followerId: id, followeeId: otherID)
        #expect(try session.call(GraphRPC.isFollowing, isFollowing).isFollowing == following.contains(other))
        let relationship = try session.call(
          UserRPC.checkUserRelationship, CheckUserRelationshipRequest(followerId: id, followeeId: otherID))
        let expected = blocked.contains(other) ? "block" : following.contains(other) ? "follow" : "none"
        #expect(relationship.relationshipType == expected)
      }
    }
  }

  @Test(arguments: WorldSession.sizes) func posts(_ size: World.Size) throws {
    let (session, world) = try WorldSession.make(size)
    for index in 0..<world.postCount {
      let id = world.postID(at: index)
      #expect(try session.call(ContentRPC.getPost, GetPostRequest(postId: id)).post == world.post(at: index))
      #expect(try session.call(ContentRPC.checkPostExists, CheckPostExistsRequest(postId: id)).exists)
    }
    let ids = (0..<min(100, world.postCount)).map(world.postID)
    if !ids.isEmpty {
      let batch = try session.call(ContentRPC.getPostsByIds, GetPostsByIdsRequest(postIds: ids))
      #expect(batch.posts == ids.indices.map(world.post))
    }
    for user in 0..<size.users {
      let all = world.posts(ofUserAt: user).reversed().map(world.post)
      for status in ["", "published", "draft", "archived"] {
        let expected = all.filter { status.isEmpty || $0.status == status }
        let list = try session.call(
          ContentRPC.getPostsByAuthor,
          GetPostsByAuthorRequest(authorId: world.userID(at: user), status: status, limit: 100))
        #expect(list.posts == expected && list.totalCount == expected.count, "\(user) \(status)")
      }
      let bookmarks = try session.call(
        ContentRPC.getUserBookmarks, GetUserBookmarksRequest(userId: world.userID(at: user), limit: 100))
      #expect(bookmarks.posts == world.bookmarks(ofUserAt: user).map(world.post))
      #expect(bookmarks.total == bookmarks.posts.count)
    }
  }

  @Test(arguments: WorldSession.sizes) func likes(_ size: World.Size) throws {
    let (session, world) = try WorldSession.make(size)
    for index in 0..<world.postCount {
      let id = world.postID(at: index)
      let likes = world.likes(ofPostAt: index)
      let list = try session.call(SocialRPC.getPostLikes, GetPostLikesRequest(postId: id, limit: 100))
      #expect(list.likes == likes && list.userIds == likes.map(\.userId) && list.totalCount == likes.count)
      #expect(try session.call(SocialRPC.getLikeCount, GetLikeCountRequest(postId: id)).count == Int64(likes.count))
    }
    let ids = (0..<min(100, world.postCount)).map(world.postID)
    for user in 0..<size.users {
      let id = world.userID(at: user)
      let liked = world.likedPosts(ofUserAt: user).map(world.postID)
      let list = try session.call(SocialRPC.getUserLikedPosts, GetUserLikedPostsRequest(userId: id, limit: 100))
      #expect(list.postIds == Array(liked.prefix(100)) && list.total == liked.count)
      guard let first = ids.first else { continue }
      let one = CheckUserLikedRequest(userId: id, postId: first)
      #expect(try session.call(SocialRPC.checkUserLiked, one).liked == liked.contains(first))
      let many = BatchCheckUserLikedRequest(userId: id, postIds: ids)
      let results = try session.call(SocialRPC.batchCheckUserLiked, many).results
      #expect(Set(results.filter(\.value).keys) == Set(liked).intersection(ids))
    }
  }

  @Test(arguments: WorldSession.sizes) func commentsSharesAndCounts(_ size: World.Size) throws {
    let (session, world) = try WorldSession.make(size)
    for index in 0..<world.postCount {
      let id = world.postID(at: index)
      let comments = world.comments(ofPostAt: index)
      for (order, expected) in [("asc", comments), ("desc", comments.reversed())] {
        for sorting in ["created_at", "updated_at"] {
          let list = try session.call(
            SocialRPC.getComments, GetCommentsRequest(postId: id, limit: 100, sortBy: sorting, order: order))
          #expect(list.comments == Array(expected.prefix(100)) && list.totalCount == comments.count)
        }
      }
      for comment in comments {
        #expect(try session.call(SocialRPC.getComment, GetCommentRequest(commentId: comment.id)).comment == comment)
      }
      let stats = world.stats(ofPostAt: index)
      let counted = try session.call(SocialRPC.batchGetPostStats, BatchGetPostStatsRequest(postIds: [id]))
      #expect(counted.stats == [id: stats])
      let commentCount = try session.call(SocialRPC.getCommentCount, GetCommentCountRequest(postId: id))
      #expect(commentCount.count == stats.commentCount)
      let shareCount = try session.call(SocialRPC.getShareCount, GetShareCountRequest(postId: id))
      #expect(shareCount.count == stats.shareCount)
      let sharers = world.sharers(ofPostAt: index)
      for user in 0..<min(20, size.users) {
        let request = CheckUserSharedRequest(userId: world.userID(at: user), postId: id)
        #expect(try session.call(SocialRPC.checkUserShared, request).shared == sharers.contains(user))
      }
    }
  }
}
