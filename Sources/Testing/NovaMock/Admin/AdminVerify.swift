import NovaCore
import NovaRegistry

/// Counts of logged requests in the admin API, and whether they are as expected.
struct AdminVerify {
  let backend: MockBackend

  /// The maximum number of requests that are listed because they are close.
  private static let maximumNearest = 3
  private static let maximumListed = 100

  /// Counts the requests that have what a body describes. The status is 409 if their number is not the expected one.
  func verify(_ body: AdminBody) async throws -> HTTPResponse {
    let expectation = try RequestExpectation(body)
    let (requests, earlier) = backend.log.withLock { log in
      (log.requests(after: 0, limit: RequestLog.capacity), log.first - 1 - log.cleared)
    }
    // Decoding takes long: not on the thread that runs the connections.
    return await Task.detached { Self.response(expectation, requests, earlier: earlier) }.value
  }

  private static func response(
    _ expectation: RequestExpectation, _ requests: [LoggedRequest], earlier: Int
  ) -> HTTPResponse {
    let compared = requests.map { (request: $0, differences: expectation.differences($0)) }
    let found = compared.filter(\.differences.isEmpty)
    let isMet = expectation.count.contains(found.count)
    // The closest first, and among them the newest.
    let nearest = compared.filter { !$0.differences.isEmpty }
      .sorted { (distance($0.differences), $1.request.number) < (distance($1.differences), $0.request.number) }
    let noun = expectation.count == 1...1 ? "request" : "requests"
    let message = "expected \(expectation.expected) matching \(noun), found \(found.count)"
    let json: JSONValue = [
      "passed": .bool(isMet), "message": .string(message), "expected": .string(expectation.expected),
      "found": .number(found.count), "matching": .array(found.suffix(maximumListed).map { .number($0.request.number) }),
      "nearest": .array(isMet ? [] : nearest.prefix(maximumNearest).map { Self.json($0.request, $0.differences) }),
      "not_stored": .number(earlier),
    ]
    return .json(json, status: isMet ? 200 : 409)
  }

  /// Another call is farther than one with other fields.
  private static func distance(_ differences: [String]) -> Int {
    let isOtherCall = differences.contains { line in ["rpc:", "method:", "path:"].contains { line.hasPrefix($0) } }
    return differences.count + (isOtherCall ? 1000 : 0)
  }

  private static func json(_ request: LoggedRequest, _ differences: [String]) -> JSONValue {
    [
      "number": .number(request.number), "method": .string(request.method.rawValue),
      "path": .string(request.path.masked(request.secrets).shortened(to: 2000)),
      "rpc": request.rpc.map { .string($0.id) } ?? .null, "status": request.status.map { .number($0) } ?? .null,
      "differences": .strings(differences),
    ]
  }

  /// The numbers of stored requests by RPC and status.
  var counts: JSONValue {
    let (requests, earlier) = backend.log.withLock { log in
      (log.requests(after: 0, limit: RequestLog.capacity), log.first - 1 - log.cleared)
    }
    let groups = Dictionary(grouping: requests) { $0.rpc?.id ?? "" }.sorted { $0.key < $1.key }
    let rpcs = groups.map { rpc, requests -> JSONValue in
      let statuses = Dictionary(grouping: requests) { $0.status.map(String.init) ?? "none" }.sorted { $0.key < $1.key }
      return [
        "rpc": rpc.isEmpty ? .null : .string(rpc), "count": .number(requests.count),
        "statuses": .object(statuses.map { .init(name: $0.key, value: .number($0.value.count)) }),
        "unmatched": .number(requests.count(where: { $0.unmatched != nil })),
      ]
    }
    return ["total": .number(requests.count), "not_stored": .number(earlier), "rpcs": .array(rpcs)]
  }

  /// The requests that nothing was prepared for, in the order of their arrival.
  var unmatched: JSONValue {
    let unmatched = backend.unmatched.withLock { $0 }
    let entries = unmatched.entries.map { entry -> JSONValue in
      [
        "method": .string(entry.method), "path": .string(entry.path), "rpc": entry.rpc.map { .string($0) } ?? .null,
        "report": .string(entry.report),
      ]
    }
    return ["count": .number(unmatched.count), "requests": .array(entries)]
  }
}
