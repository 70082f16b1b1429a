import NovaAuth
import NovaCore
import NovaEvents
import NovaGraph
import NovaMedia
import NovaUsers
import Testing

extension VisibilityTable {
  static let graph: [String: VisibilityClass] = [
    "graph.CreateFollow": .ownOnly, "graph.DeleteFollow": .ownOnly, "graph.CreateMute": .ownOnly,
    "graph.DeleteMute": .ownOnly, "graph.IsMuted": .unrelated, "graph.CreateBlock": .ownOnly,
    "graph.DeleteBlock": .ownOnly, "graph.IsBlocked": .unrelated,
    "graph.GetFollowers": .shows(
      VisibilityRow("the list", if: \.showsProfile) { call in
        let list = try await call.client.call(GraphRPC.getFollowers, .init(userId: call.owner))
        #expect(list.totalCount == list.userIds.count && !list.hasMore)
        return !list.userIds.isEmpty
      }),
    "graph.GetFollowing": .shows(
      VisibilityRow("the list", if: \.showsProfile) { call in
        let list = try await call.client.call(GraphRPC.getFollowing, .init(userId: call.owner))
        #expect(list.totalCount == list.userIds.count && !list.hasMore)
        return !list.userIds.isEmpty
      }),
    // Followed by a private user. A public user's followees are everyone's to see.
    "graph.IsFollowing": .shows(
      VisibilityRow("a follow between private users", if: \.showsProfile) { call in
        let request = IsFollowingRequest(followerId: call.world.hermit, followeeId: call.owner)
        return try await call.client.call(GraphRPC.isFollowing, request).isFollowing
      },
      VisibilityRow("a follow by a public user", if: { _ in true }) { call in
        let request = IsFollowingRequest(followerId: call.world.id(.follower), followeeId: call.owner)
        return try await call.client.call(GraphRPC.isFollowing, request).isFollowing
      }),
    "graph.BatchCheckFollowing": .shows(
      VisibilityRow("a follow between private users", if: \.showsProfile) { call in
        let request = BatchCheckFollowingRequest(followerId: call.world.hermit, followeeIds: [call.owner, "none"])
        let results = try await call.client.call(GraphRPC.batchCheckFollowing, request).results
        #expect(results.count == 2)
        return results[call.owner] ?? false
      }),
  ]

  static let users: [String: VisibilityClass] = [
    "user.GetUserProfile": profile { call in
      try await call.client.call(UserRPC.getUserProfile, .init(userId: call.owner)).profile
    },
    "user.GetUserProfilesByIds": profile { call in
      try await call.client.call(UserRPC.getUserProfilesByIds, .init(userIds: [call.owner])).profiles.first
    },
    "user.SearchUsers": profile { call in
      let page = try await call.client.call(UserRPC.searchUsers, .init(query: "the_oneself"))
      #expect(page.totalCount == page.profiles.count)
      return page.profiles.first
    },
    "user.UpdateUserProfile": .ownOnly, "user.UpdateUserSettings": .ownOnly,
    "user.GetUserSettings": .shows(
      VisibilityRow("the settings", if: \.showsOwn) { call in
        try await call.isAllowed {
          let settings = try await call.client.call(UserRPC.getUserSettings, .init(userId: call.owner)).settings
          #expect(settings?.privacyLevel == (call.probe.isPrivateAccount ? "private" : "public"))
        }
      }),
    "user.CheckUserRelationship": .shows(
      VisibilityRow("a follow between private users", if: \.showsProfile) { call in
        let request = CheckUserRelationshipRequest(followerId: call.world.hermit, followeeId: call.owner)
        return try await call.client.call(UserRPC.checkUserRelationship, request).relationshipType == "follow"
      }),
    "auth.GetUser": .shows(
      VisibilityRow("when the user joined", if: \.showsProfile) { call in
        let user = try #require(try await call.client.call(AuthRPC.getUser, .init(userId: call.owner)).user)
        #expect(user.username == "the_oneself" && user.email.isEmpty == !call.probe.showsOwn)
        return user.createdAt > 0
      }),
  ]

  /// Who sees which field of a profile.
  enum ProfileFields {
    static let ofEveryone: Set = [
      "id", "username", "display_name", "avatar_url", "is_private", "follower_count", "following_count", "post_count",
    ]
    /// Of a private account, only its followers see them.
    static let ofFollowers: Set = [
      "bio", "cover_url", "website", "location", "created_at", "updated_at",
    ]
    static let ofOneself: Set = ["email"]
    /// The mock has no value for them.
    static let withoutValue: Set = ["is_verified", "deleted_at"]
  }

  /// Compares a profile with ``ProfileFields``.
  private static func profile(
    _ read: @escaping @Sendable (VisibilityCall) async throws -> UserProfile?
  ) -> VisibilityClass {
    .shows(
      VisibilityRow("all of the profile", if: \.showsProfile) { call in
        let profile = try #require(try await read(call))
        #expect(
          profile.id == call.owner && profile.username == "the_oneself" && profile.displayName == "Owner"
            && profile.avatarUrl == call.world.avatar.url && profile.isPrivate == call.probe.isPrivateAccount)
        #expect(profile.followerCount == 2 && profile.followingCount == 1)
        // Nobody else learns of a private post.
        #expect(profile.postCount == (call.probe.showsOwn ? 3 : 2))
        let shown = try ProfileFields.ofFollowers.intersection(fields(of: profile))
        #expect(shown.isEmpty || shown == ProfileFields.ofFollowers, "\(call.probe) sees only \(shown.sorted())")
        return !shown.isEmpty
      },
      VisibilityRow("what is the user's alone", if: \.showsOwn) { call in
        let shown = try ProfileFields.ofOneself.intersection(fields(of: try #require(try await read(call))))
        #expect(shown.isEmpty || shown == ProfileFields.ofOneself, "\(call.probe) sees only \(shown.sorted())")
        return !shown.isEmpty
      })
  }

  /// The names of the fields that have a value.
  private static func fields(of profile: UserProfile) throws -> [String] {
    try JSONValue(jsonUTF8: profile.jsonUTF8(.request)).memberList?.map(\.name) ?? []
  }

  static let events: [String: VisibilityClass] = [
    "event.ListEvents": events { topics, call in
      let position = try call.world.touchPosts()
      let request = ListEventsRequest(topics: topics, after: position, limit: 1000)
      return try await call.client.call(EventRPC.listEvents, request).events
    },
    "event.StreamEvents": events { topics, call in
      let request = StreamEventsRequest(topics: topics, after: call.world.beginning)
      _ = try await call.client.stream(EventRPC.streamEvents, request)
      return nil
    },
  ]

  /// - Parameter read: returns the events of a topic, or nil if only the permission is of interest.
  private static func events(
    _ read: @escaping @Sendable ([String], VisibilityCall) async throws -> [Event]?
  ) -> VisibilityClass {
    .shows(
      VisibilityRow("a post's events", if: \.showsPost) { call in
        try await call.isAllowed { _ = try await read(["post:\(call.item.post)"], call) }
      },
      VisibilityRow("a user's events", if: \.showsEvents) { call in
        try await call.isAllowed {
          guard let events = try await read(["user:\(call.owner)"], call) else { return }
          let posts = Set(events.compactMap(\.postId))
          let visible = try call.visiblePosts()
          #expect(posts == visible, "\(call.probe)")
        }
      },
      VisibilityRow("events of the user's feed", if: \.showsEvents) { call in
        try await call.isAllowed { _ = try await read(["feed:\(call.owner)"], call) }
      })
  }
}
