import NovaCore
import NovaGraph
import NovaUsers

extension ContractScenario {
  static let relationships = [relationship, profile, settings, search, profileBatch]

  private static let relationship = ContractScenario(
    "users.relationship", summary: "The relationship between two users: none, a follow, a block."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    func look(_ name: String, _ type: String) async {
      await run.step(name) { try await ada.users.checkUserRelationship(followerId: ada.id, followeeId: bea.id) }
        .expect { $0.relationshipType == type && $0.status == "active" }
    }
    await look("strangers", "none")
    await run.step("ada follows bea") { try await ada.graph.followUser(followerId: ada.id, followeeId: bea.id) }
    await look("a follow", "follow")
    await run.step("ada blocks bea") { try await ada.graph.blockUser(blockerId: ada.id, blockedId: bea.id) }
    await look("a block", "block")
    await run.step("ada unblocks bea") { try await ada.graph.unblockUser(blockerId: ada.id, blockedId: bea.id) }
    await look("strangers again", "none")
  }

  private static let profile = ContractScenario(
    "users.profile", summary: "Only the owner changes a profile, and only the given fields change."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    await run.step("a new profile") { try await ada.users.getUserProfile(userId: ada.id) }
      .expect {
        $0.id == ada.id && $0.username == ada.account.username && $0.displayName == nil && $0.createdAt == $0.updatedAt
      }
    await run.step("every part") {
      try await ada.users.updateUserProfile(
        userId: ada.id, displayName: "Ada Łukasz 🧡", bio: "Bakes.", avatarUrl: "https://cdn.example/a.jpg",
        coverUrl: "https://cdn.example/c.jpg", website: "https://ada.example", location: "Kraków", isPrivate: true)
    }.expect { $0.displayName == "Ada Łukasz 🧡" && $0.isPrivate && $0.location == "Kraków" }
    await run.step("one part") { try await ada.users.updateUserProfile(userId: ada.id, bio: "Runs.") }
      .expect { $0.bio == "Runs." && $0.website == "https://ada.example" && $0.isPrivate }
    let before = try await run.step("as it is now") { try await ada.users.getUserProfile(userId: ada.id) }.value
    await run.step("the same again changes nothing") {
      try await ada.users.updateUserProfile(userId: ada.id, bio: "Runs.")
    }.expect(before)
    await run.step("a display name of 51 characters", fails: .invalidArgument) {
      try await ada.users.updateUserProfile(userId: ada.id, displayName: String(repeating: "ä", count: 51))
    }
    await run.step("another user's profile", fails: .permissionDenied) {
      try await bea.users.updateUserProfile(userId: ada.id, bio: "Not mine.")
    }
    await run.step("what others see") { try await bea.users.getUserProfile(userId: ada.id) }.expect { $0.email == nil }
    await run.step("a missing profile", fails: .notFound) { try await ada.users.getUserProfile(userId: run.missingID) }
  }

  private static let settings = ContractScenario(
    "users.settings", summary: "Settings have defaults and are private; only the given fields change."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    await run.step("the defaults") { try await ada.users.getUserSettings(userId: ada.id) }
      .expect { $0.userId == ada.id }
    await run.step("some") {
      try await ada.users.updateUserSettings(
        userId: ada.id, marketingEmails: true, timezone: "Europe/Warsaw", darkMode: true, allowMessages: false)
    }.expect { $0.marketingEmails && $0.timezone == "Europe/Warsaw" && $0.darkMode && !$0.allowMessages }
    await run.step("all") {
      try await ada.users.updateUserSettings(
        userId: ada.id, emailNotifications: false, pushNotifications: false, marketingEmails: false, timezone: "UTC",
        language: "pl", darkMode: false, privacyLevel: "private", allowMessages: true)
    }.expect { !$0.emailNotifications && !$0.darkMode && $0.language == "pl" && $0.privacyLevel == "private" }
    await run.step("they stay") { try await ada.users.getUserSettings(userId: ada.id) }.expect { $0.language == "pl" }
    await run.step("an empty language", fails: .invalidArgument) {
      try await ada.users.updateUserSettings(userId: ada.id, language: "")
    }
    await run.steps(
      fail: .permissionDenied,
      [
        "another's settings": { try await bea.users.getUserSettings(userId: ada.id) },
        "changing another's settings": { try await bea.users.updateUserSettings(userId: ada.id, darkMode: true) },
      ])
    await run.step("settings of a missing user", fails: .notFound) {
      try await ada.users.getUserSettings(userId: run.missingID)
    }
  }

  private static let search = ContractScenario(
    "users.search", summary: "People are found by their names, the best match first, page by page to the end."
  ) { run in
    let (ada, bea, cem) = (try await run.user("ada"), try await run.user("bea"), try await run.user("cem"))
    let name = run.prefix
    await run.step("bea is called by the whole name") {
      try await bea.users.updateUserProfile(userId: bea.id, displayName: name)
    }
    await run.step("ada follows cem") { try await ada.graph.followUser(followerId: ada.id, followeeId: cem.id) }
    let order = [bea.id, cem.id, ada.id]
    await run.step("all three") { try await ada.users.searchUsers(query: name.uppercased()) }
      .expect { $0.profiles.map(\.id) == order && $0.totalCount == 3 && !$0.hasMore }
    for offset in 0...3 {
      await run.step("one from \(offset)") { try await ada.users.searchUsers(query: name, limit: 1, offset: offset) }
        .expect { $0.profiles.map(\.id) == Array(order.dropFirst(offset).prefix(1)) && $0.hasMore == (offset < 2) }
    }
    await run.step("two at a time to the end") { try await ada.users.users(matching: name, pageSize: 2).all() }
      .expect { $0.map(\.id) == order }
    await run.step("no matches") { try await ada.users.searchUsers(query: "\(name)-nobody") }
      .expect { $0.profiles.isEmpty && $0.totalCount == 0 }
    await run.step("no word", fails: .invalidArgument) { try await ada.users.searchUsers(query: "  ") }
  }

  private static let profileBatch = ContractScenario(
    "users.batch", summary: "Profiles of any number of ids in their order, without those that are missing."
  ) { run in
    let (ada, bea) = (try await run.user("ada"), try await run.user("bea"))
    await run.step("152 ids") {
      try await ada.users.getUserProfilesByIds(userIds: [bea.id] + run.missing(150) + [ada.id])
    }.expect { $0.map(\.id) == [bea.id, ada.id] }
    await run.step("no ids") { try await ada.users.getUserProfilesByIds(userIds: []) }.expect { $0.isEmpty }
  }
}
