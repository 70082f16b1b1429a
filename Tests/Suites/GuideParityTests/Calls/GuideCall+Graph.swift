import NovaSDK

extension GuideCall {
  static let graph = [
    GuideCall("graph.CreateFollow", command: "follow mock-user-id user-0001") {
      try await $0.graph.followUser(followerId: "ada", followeeId: "bea")
    },
    GuideCall("graph.DeleteFollow", command: "unfollow ada bea") {
      try await $0.graph.unfollowUser(followerId: "ada", followeeId: "bea")
    },
    GuideCall("graph.GetFollowers", command: "followers ada") { try await $0.graph.getFollowers(userId: "ada") },
    GuideCall("graph.GetFollowers") { for try await _ in $0.graph.followers(of: "ada") {} },
    GuideCall("graph.GetFollowing", command: "following ada") { try await $0.graph.getFollowing(userId: "ada") },
    GuideCall("graph.GetFollowing") { for try await _ in $0.graph.following(of: "ada") {} },
    GuideCall("graph.IsFollowing", command: "is-following ada bea") {
      try await $0.graph.isFollowing(followerId: "ada", followeeId: "bea")
    },
    GuideCall("graph.BatchCheckFollowing") {
      try await $0.graph.batchCheckFollowing(followerId: "ada", followeeIds: ["bea"])
    },
    GuideCall("graph.CreateMute", command: "mute mock-user-id user-0001") {
      try await $0.graph.muteUser(muterId: "ada", muteeId: "bea")
    },
    GuideCall("graph.DeleteMute", command: "unmute ada bea") {
      try await $0.graph.unmuteUser(muterId: "ada", muteeId: "bea")
    },
    GuideCall("graph.IsMuted", command: "is-muted ada bea") {
      try await $0.graph.isMuted(muterId: "ada", muteeId: "bea")
    },
    GuideCall("graph.CreateBlock", command: "block mock-user-id user-0001") {
      try await $0.graph.blockUser(blockerId: "ada", blockedId: "bea")
    },
    GuideCall("graph.DeleteBlock", command: "unblock ada bea") {
      try await $0.graph.unblockUser(blockerId: "ada", blockedId: "bea")
    },
    GuideCall("graph.IsBlocked", command: "is-blocked ada bea") {
      try await $0.graph.isBlocked(blockerId: "ada", blockedId: "bea")
    },
  ]
}
