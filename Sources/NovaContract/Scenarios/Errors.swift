import NovaContent
import NovaCore
import NovaGraph
import NovaRegistry
import NovaSocial

extension ContractScenario {
  static let errors = [selfReferences, missingPosts, rules]

  private static let selfReferences = ContractScenario(
    "errors.self", summary: "Nobody follows, mutes or blocks themselves."
  ) { run in
    let ada = try await run.user("ada")
    await run.step("follow", fails: .invalidArgument) {
      try await ada.graph.followUser(followerId: ada.id, followeeId: ada.id)
    }
    await run.step("mute", fails: .invalidArgument) { try await ada.graph.muteUser(muterId: ada.id, muteeId: ada.id) }
    await run.step("block", fails: .invalidArgument) {
      try await ada.graph.blockUser(blockerId: ada.id, blockedId: ada.id)
    }
    await run.step("no followers") { try await ada.graph.getFollowers(userId: ada.id) }.expect(GetFollowersResponse())
  }

  private static let missingPosts = ContractScenario(
    "errors.missing-post", summary: "Nothing is written about a missing post."
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
          _ = try await run.client.respond(rpc, request, options: ada.unchecked.options)
        }
      }
    }
    await run.step("follow", fails: .invalidArgument) {
      try await ada.unchecked.graph.followUser(followerId: ada.id, followeeId: "")
    }
    await run.step("like", fails: .invalidArgument) {
      try await ada.unchecked.social.createLike(postId: "", userId: ada.id)
    }
  }
}
