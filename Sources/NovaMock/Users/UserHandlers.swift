import NovaCore
import NovaUsers

extension MockHandlers {
  mutating func addUsers() {
    on(UserRPC.getUserProfile) { request, state throws(MockFailure) in
      try require(request.userId, "user_id")
      guard let profile = state.profile(request.userId) else {
        throw MockFailure(.notFound, "there is no user \(request.userId)")
      }
      return GetUserProfileResponse(profile: profile)
    }
    on(UserRPC.getUserProfilesByIds) { request, state throws(MockFailure) in
      try UserRPC.getUserProfilesByIds.descriptor.checkBatch(request.userIds)
      return GetUserProfilesByIdsResponse(profiles: request.userIds.compactMap { state.profile($0) })
    }
  }
}
