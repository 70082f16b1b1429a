import NovaCore
import NovaRegistry
import NovaUsers

extension AdminAPI {
  /// The maximum number of users, posts, or events in a response.
  static let longestPage = 200

  /// Lists users: those that match a search, best match first, or all by id.
  func users(_ query: String) throws -> HTTPResponse {
    let query = try AdminQuery(query, names: ["search", "offset", "limit"])
    let offset = try query.number("offset", in: 0...Int.max, default: 0)
    let limit = try query.number("limit", in: 1...Self.longestPage, default: 50)
    let state = backend.withState { $0 }
    let ids = Self.userIDs(query.text("search") ?? "", in: state)
    let page = ids.dropFirst(offset).prefix(limit)
    let users = try page.compactMap { state.profile($0) }.map(Self.json)
    return .json(.members(("users", .array(users)), ("total", .number(String(ids.count)))))
  }

  private static func userIDs(_ search: String, in state: MockState) -> [String] {
    guard let words = UserSearch(search) else { return state.users.profiles.keys.map(\.wrappedValue).sorted() }
    let exact = state.users.profile(search).map { [$0.id] } ?? []
    return exact + words.results(in: state).filter { $0 != search }
  }

  /// Changes a profile as UpdateUserProfile does, for any user.
  func updateUser(_ id: String, _ body: AdminBody) async throws -> HTTPResponse {
    let response = try await backend.execute(UserRPC.updateUserProfile, body.adding("user_id", id))
    return .json(try Self.json(response.profile ?? UserProfile()))
  }

  static func json(_ message: some ProtoMessage) throws -> JSONValue {
    try JSONValue(jsonUTF8: message.jsonUTF8(.response))
  }
}

extension MockBackend {
  /// Executes an RPC without a token, faults, stubs, and log.
  func execute<Request, Response>(_ rpc: RPC<Request, Response>, _ json: JSONValue) async throws -> Response {
    let descriptor = rpc.descriptor
    let message: Request
    do throws(ProtoJSONError) {
      message = try Request(refusingUnknownFieldsIn: json.jsonUTF8)
    } catch {
      throw MockFailure(error, in: nil, of: "request of \(descriptor.id)")
    }
    if let (field, problem) = RequestRules.violation(in: message) {
      throw MockFailure(.invalidArgument, "\(field.name) \(problem)")
    }
    let (result, position) = try withEngine { engine in
      try engine.performJournaled(MockChange(engine.state, .rpc(descriptor, message)))
    }
    if let position { try await waitUntilDurable(position) }
    guard case .message(let response) = try result.get(), let response = response as? Response else {
      throw MockFailure(.internalError, "expected a \(Response.descriptor.name)")
    }
    return response
  }
}
