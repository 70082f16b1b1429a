import NovaAuth
import NovaCore
import NovaGraph
import NovaMock
import NovaUsers
import NovaTestSupport
import Testing

@Suite struct UserSearchTests {
  private let mock = MockCaller()

  init() throws {
    let users = [
      ("lukasz", "Łukasz Müller"), ("anna_m", "Anna Muller"), ("mueller", nil), ("ann", "Ann Lee"),
      ("joann", "Joann Ø"), ("li_wei", "李伟"), ("elena", "ΕΛΕΝΑ"),
    ]
    for (username, name) in users {
      let id = try mock.call(
        AuthRPC.register,
        RegisterRequest(email: "\(username)@x.example", username: username, password: "12345678")
      ).userId
      _ = try mock.call(UserRPC.updateUserProfile, UpdateUserProfileRequest(userId: id, displayName: name))
    }
  }

  private func names(_ query: String) throws -> [String] {
    try mock.call(UserRPC.searchUsers, SearchUsersRequest(query: query)).profiles.map(\.username)
  }

  @Test(arguments: [
    ("muller", ["anna_m", "lukasz"]),
    ("MÜLLER", ["anna_m", "lukasz"]),
    ("Mu\u{308}ller", ["anna_m", "lukasz"]),
    ("lukasz müller", ["lukasz"]),
    ("  muller   LUKASZ ", ["lukasz"]),
    ("o", ["joann"]),
    ("李", ["li_wei"]),
    ("ελενα", ["elena"]),
    ("ler", ["anna_m", "lukasz", "mueller"]),
    ("m", ["mueller", "anna_m", "lukasz"]),
    ("nobody", []),
    ("lukasz nobody", []),
  ])
  func findsRegardlessOfCaseAndDiacritics(query: String, usernames: [String]) throws {
    #expect(try names(query) == usernames)
  }

  @Test func wholeNamesComeBeforeStartsAndStartsBeforeParts() throws {
    #expect(try names("ann") == ["ann", "anna_m", "joann"])
  }

  @Test func equalMatchesAreSortedByPopularity() throws {
    _ = try mock.call(GraphRPC.createFollow, CreateFollowRequest(followerId: "x", followeeId: "user-registered-1"))
    #expect(try names("muller") == ["lukasz", "anna_m"])
  }

  @Test func pagesContainTotalAndHasMore() throws {
    let mock = MockCaller(dataSet: .guide)
    func page(_ limit: Int, _ offset: Int) throws -> SearchUsersResponse {
      try mock.call(UserRPC.searchUsers, SearchUsersRequest(query: "ada", limit: limit, offset: offset))
    }
    let all = try page(100, 0)
    #expect(all.totalCount > 100 && all.hasMore && all.profiles.count == 100)
    #expect(try page(0, 0).profiles.count == 50)
    #expect(try page(1000, 0).profiles.count == 100)
    #expect(try page(7, 50).profiles == Array(all.profiles[50..<57]))
    let last = try page(100, all.totalCount - 1)
    #expect(last.profiles.count == 1 && !last.hasMore)
    let beyond = try page(100, Int(Int32.max))
    #expect(beyond.profiles.isEmpty && !beyond.hasMore && beyond.totalCount == all.totalCount)
  }

  @Test func badSearchesAreRefused() throws {
    for request in [
      SearchUsersRequest(query: ""), SearchUsersRequest(query: " \n"), SearchUsersRequest(query: "a", limit: -1),
      SearchUsersRequest(query: "a", offset: -1),
    ] {
      #expect(try mock.refusal(UserRPC.searchUsers, request)?.grpcStatus == .invalidArgument, "\(request)")
    }
  }
}
