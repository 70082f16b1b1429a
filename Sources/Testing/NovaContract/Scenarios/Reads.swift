import NovaAnnouncements
import NovaContent
import NovaCore
import NovaGraph
import NovaMedia
import NovaRegistry
import NovaSocial
import NovaUsers

extension ContractScenario {
  static let reads = [announcements, missing, reels]
  static let errors = [selfReferences, missingPosts, rules]

  private static let announcements = ContractScenario(
    "announcements.read", summary: "Announcements are listed, also near a place, and read one by one.",
    effect: .readOnly
  ) { run in
    let service = AnnouncementsService(client: run.client)
    let all = try await run.step("all", isServerSpecific: true) { try await service.listAnnouncements(.init()).data }
      .expect { $0.allSatisfy { !$0.id.isEmpty } }.value
    await run.step("each as it is in the list") {
      // Backends are known to repeat ids.
      for announcement in all.prefix(5) where all.first(where: { $0.id == announcement.id }) == announcement {
        guard try await service.getAnnouncement(.init(id: announcement.id)) == announcement else {
          return false
        }
      }
      return true
    }.expect(true)
    await run.step("around Warsaw", isServerSpecific: true) {
      try await service.listAnnouncements(.init(lat: 52.2297, lng: 21.0122)).data.map(\.id)
    }
    for (name, lat, lng) in [
      ("half a place", 52.0, nil), ("the other half", nil, 21.0), ("north of the pole", 91.0, 0.0),
      ("east of the date line", 0.0, 181.0),
    ] as [(String, Double?, Double?)] {
      await run.step(name, fails: .invalidArgument) { try await service.listAnnouncements(.init(lat: lat, lng: lng)) }
    }
    await run.step("none", fails: .notFound) { try await service.getAnnouncement(.init(id: run.missingID)) }
  }

  private static let missing = ContractScenario(
    "reads.missing",
    summary: "What does not exist has no likes, comments, shares or followers, and is reported as missing.",
    effect: .readOnly
  ) { run in
    let id = run.missingID
    let (social, content) = (SocialService(client: run.client), ContentService(client: run.client))
    let (graph, media) = (GraphService(client: run.client), MediaService(client: run.client))
    await run.step("followers") { try await graph.getFollowers(userId: id) }.expect(GetFollowersResponse())
    await run.step("following") { try await graph.getFollowing(userId: id) }.expect(GetFollowingResponse())
    await run.step("likes") { try await social.getPostLikes(postId: id) }.expect(GetPostLikesResponse())
    await run.step("like count") { try await social.getLikeCount(postId: id) }.expect(0)
    await run.step("comments") { try await social.getComments(postId: id) }.expect(GetCommentsResponse())
    await run.step("comment count") { try await social.getCommentCount(postId: id) }.expect(0)
    await run.step("share count") { try await social.getShareCount(postId: id) }.expect(0)
    await run.step("comment") { try await social.getComment(commentId: id) }.expect(nil)
    await run.step("comment, by its request", fails: .notFound) { try await social.getComment(.init(commentId: id)) }
    await run.step("post") { try await content.getPost(.init(postId: id)) }
      .expect { !$0.found && $0.post == nil }
    await run.step("posts") { try await content.getPostsByAuthor(authorId: id) }.expect { $0.totalCount == 0 }
    await run.step("bookmarks") { try await content.getUserBookmarks(userId: id) }.expect { $0.total == 0 }
    await run.step("upload") { try await media.getUpload(.init(uploadId: id)) }.expect { !$0.found }
    await run.step("video") { try await media.getVideo(.init(videoId: id)) }.expect { !$0.found }
    await run.step("videos") { try await media.getUserVideos(userId: id) }.expect { $0.isEmpty }
    await run.step("reel") { try await media.getReel(.init(reelId: id)) }.expect { !$0.found }
    await run.step("profile", fails: .notFound) { try await UserService(client: run.client).getUserProfile(userId: id) }
  }

  private static let reels = ContractScenario(
    "reads.reels", summary: "A list of reels respects its limit and agrees with GetReel.", effect: .readOnly
  ) { run in
    let media = MediaService(client: run.client)
    await run.step("three at most") {
      let reels = try await media.listReels(limit: 3)
      for reel in reels where try await media.getReel(reelId: reel.id)?.uploadId != reel.uploadId { return false }
      return reels.count <= 3 && zip(reels, reels.dropFirst()).allSatisfy { $0.createdAt >= $1.createdAt }
    }.expect(true)
    await run.step("a limit below 0", fails: .invalidArgument) {
      try await media.with { $0.checksArguments = false }.listReels(limit: -1)
    }
  }

  private static let selfReferences = ContractScenario(
    "errors.self", summary: "Users cannot follow, mute or block themselves."
  ) { run in
    let ada = try await run.user("ada")
    await run.steps(
      fail: .invalidArgument,
      [
        "follow": { try await ada.graph.followUser(followerId: ada.id, followeeId: ada.id) },
        "mute": { try await ada.graph.muteUser(muterId: ada.id, muteeId: ada.id) },
        "block": { try await ada.graph.blockUser(blockerId: ada.id, blockedId: ada.id) },
      ])
    await run.step("no followers") { try await ada.graph.getFollowers(userId: ada.id) }.expect(GetFollowersResponse())
  }

  private static let missingPosts = ContractScenario(
    "errors.missing-post", summary: "A missing post cannot be liked, shared, changed or deleted."
  ) { run in
    let ada = try await run.user("ada")
    let id = run.missingID
    await run.step("like", fails: .notFound) { try await ada.social.createLike(postId: id, userId: ada.id) }
    await run.step("unlike", fails: .notFound) { try await ada.social.deleteLike(postId: id, userId: ada.id) }
    await run.step("share", fails: .notFound) { try await ada.social.createShare(postId: id, userId: ada.id) }
    await run.step("update", fails: .notFound) { try await ada.content.updatePost(postId: id, title: "?") }
    await run.step("delete", fails: .notFound) { try await ada.content.deletePost(postId: id, deletedById: ada.id) }
  }

  private static let rules = ContractScenario(
    "errors.rules", summary: "No read accepts a field that violates a constraint, such as an empty id."
  ) { run in
    let ada = try await run.user("ada")
    for rpc in RPCRegistry.nova.rpcs where rpc.effect == .noSideEffects {
      for (name, request) in ConstraintViolations.requests(of: rpc, user: ada.id) {
        await run.step("\(rpc.id), \(name)", fails: .invalidArgument) {
          if rpc.isServerStreaming {
            _ = try await run.client.stream(rpc, request, options: ada.unchecked.options)
          } else {
            _ = try await run.client.respond(rpc, request, options: ada.unchecked.options)
          }
        }
      }
    }
    await run.steps(
      fail: .invalidArgument,
      [
        "follow": { try await ada.unchecked.graph.followUser(followerId: ada.id, followeeId: "") },
        "like": { try await ada.unchecked.social.createLike(postId: "", userId: ada.id) },
      ])
  }
}
