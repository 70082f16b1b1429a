import NovaCapture
import NovaCore

extension ContractScenario {
  /// Every RPC with valid and invalid requests, in an order in which each finds what it needs: for ``ContractCheck``.
  public static let survey =
    surveyOfServices + surveyOfGRPC + [
      ContractScenario(
        survey: "privacy", "Callers get nothing that only others may see.",
        for: servicesWithAccounts.subtracting(["analytics"])
      ) { try await $0.checkPrivacy($1) },
      ContractScenario(
        survey: "logout", "What was created is deleted, and the session ended.", for: servicesWithAccounts
      ) { survey, _ in try await survey.logOut() },
    ]

  /// What gRPC has beside the RPCs; nothing for a gateway that is called over HTTP.
  private static var surveyOfGRPC: [ContractScenario] {
    #if GRPC
      [
        ContractScenario(survey: "grpc", "Frames, deadlines, health, and reflection.", needsUser: false) { survey, _ in
          try await survey.checkGRPC()
        }
      ]
    #else
      []
    #endif
  }

  private static let surveyOfServices: [ContractScenario] = [
    ContractScenario(survey: "announcements", "Announcements.", for: ["announcements"], needsUser: false) { survey, _ in
      try await survey.checkAnnouncements()
    },
    ContractScenario(
      survey: "accounts", "Accounts are registered, log in and refresh their session; a token's user is found.",
      for: servicesWithAccounts, needsUser: false
    ) { survey, _ in try await survey.checkAccounts() },
    ContractScenario(survey: "users", "Profiles, relationships and settings.", for: ["user", "auth"]) {
      try await $0.checkUsers($1)
    },
    ContractScenario(survey: "content", "Posts and bookmarks.", for: ["content", "social", "feed"]) {
      try await $0.checkContent($1)
    },
    ContractScenario(survey: "feed", "Feeds, ranking and recommendations.", for: ["feed"]) {
      try await $0.checkFeed($1)
    },
    ContractScenario(survey: "social", "Likes, comments and shares.", for: ["social"]) {
      try await $0.checkSocial($1)
    },
    ContractScenario(survey: "graph", "Follows, mutes and blocks.", for: ["graph"]) { try await $0.checkGraph($1) },
    ContractScenario(survey: "media", "Uploads, videos and reels.", for: ["media"]) { try await $0.checkMedia($1) },
    ContractScenario(survey: "capture", "Captures and their meanings.", for: ["capture"]) { survey, _ in
      // It may have been needed earlier, to find the token's user.
      if !survey.wasCalled(CaptureRPC.listSomethings) { try await survey.checkCapture() }
    },
    ContractScenario(survey: "events", "Live events.", for: ["event"]) { try await $0.checkEvents($1) },
    ContractScenario(survey: "analytics", "Analytics events.", for: ["analytics"]) { survey, _ in
      try await survey.checkAnalytics()
    },
  ]

  /// Every service but the announcements, which need no account.
  private static let servicesWithAccounts: Set = [
    "analytics", "auth", "capture", "content", "event", "feed", "graph", "media", "social", "user",
  ]
}
