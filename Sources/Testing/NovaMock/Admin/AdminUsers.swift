import NovaCore
import NovaRegistry
import NovaUsers

/// Users in the admin API.
struct AdminUsers {
  let backend: MockBackend

  /// Lists users: those that match a search, best match first, or all by id.
  func list(_ query: String) throws -> HTTPResponse {
    let query = try AdminQuery(query, names: ["search", "offset", "limit"])
    let page = try query.page
    let state = backend.withState { $0 }
    let ids = Self.userIDs(query.text("search") ?? "", in: state)
    let users = try page.of(ids).compactMap { state.profile($0) }.map { try JSONValue($0) }
    return .json(["users": .array(users), "total": .number(ids.count)])
  }

  private static func userIDs(_ search: String, in state: MockState) -> [String] {
    guard let words = UserSearch(search) else { return state.users.profiles.keys.map(\.wrappedValue).sorted() }
    let exact = state.users.profile(search).map { [$0.id] } ?? []
    return exact + words.results(in: state).filter { $0 != search }
  }

  /// Changes a profile as UpdateUserProfile does, for any user.
  func update(_ id: String, _ body: AdminBody) async throws -> HTTPResponse {
    let response = try await backend.apply(UserRPC.updateUserProfile, body.adding("user_id", id))
    return .json(try JSONValue(response.profile ?? UserProfile()))
  }
}
