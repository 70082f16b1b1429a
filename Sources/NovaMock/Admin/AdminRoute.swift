import NovaCore

/// A path of the admin API.
struct AdminRoute {
  let endpoint: AdminEndpoint
  /// The last part of a path like `/_nova/users/user-1`; empty for other endpoints.
  let id: String

  init?(path: String) {
    var name = path.dropFirst("/_nova".count)
    if name.hasPrefix("/") { name = name.dropFirst() }
    let parts = name.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    let encodedID = parts.count == 2 ? String(parts[1]) : ""
    let pattern = parts.count == 2 ? "\(parts[0])/{id}" : String(name)
    guard let endpoint = AdminEndpoint(rawValue: pattern), let id = PercentEncoding.decode(encodedID),
      endpoint.hasID == !id.isEmpty
    else { return nil }
    self.endpoint = endpoint
    self.id = id
  }
}

/// The paths of the admin API.
enum AdminEndpoint: String, CaseIterable, Sendable {
  case page = ""
  case contract, state, reset, snapshots, snapshot, restore, clock, users, posts, analytics, faults, stubs, requests,
    events, epoch, streams
  case eventStream = "event-stream"
  case user = "users/{id}"
  case post = "posts/{id}"
  case stub = "stubs/{id}"
  case request = "requests/{id}"

  var hasID: Bool { rawValue.hasSuffix("{id}") }

  /// The allowed methods, as the `Allow` header lists them.
  var methods: String {
    switch self {
    case .page, .contract, .state, .snapshots, .users, .posts, .analytics, .request, .eventStream: "GET"
    case .reset, .snapshot, .restore, .clock, .epoch: "POST"
    case .events: "GET, POST, PATCH"
    case .streams: "DELETE"
    case .faults: "GET, PUT, DELETE"
    case .stubs: "GET, POST, DELETE"
    case .requests: "GET, DELETE"
    case .user: "PATCH"
    case .post: "PATCH, DELETE"
    case .stub: "GET, DELETE"
    }
  }
}
