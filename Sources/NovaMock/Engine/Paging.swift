import NovaCore

/// A list's `limit` and `offset`, checked and bounded as the contract says.
struct Paging {
  let limit: Int
  let offset: Int

  init(limit: Int, offset: Int, _ rpc: RPCDescriptor) throws(MockFailure) {
    guard limit >= 0 else { throw MockFailure(.invalidArgument, "limit is \(limit); it must not be negative") }
    guard offset >= 0 else { throw MockFailure(.invalidArgument, "offset is \(offset); it must not be negative") }
    let bounds = rpc.pageLimit ?? PageLimit(default: 50, maximum: 100)
    self.limit = min(limit == 0 ? bounds.defaultValue ?? bounds.maximum : limit, bounds.maximum)
    self.offset = offset
  }

  /// The page of a list that is kept oldest first and shown newest first.
  func newestFirst<Element>(_ items: [Element]) -> (page: [Element], hasMore: Bool) {
    let end = max(0, items.count - offset)
    let start = max(0, end - limit)
    return (items[start..<end].reversed(), start > 0)
  }

  /// The page of a list that is kept as it is shown.
  func inOrder<Element>(_ items: [Element]) -> (page: [Element], hasMore: Bool) {
    let start = min(offset, items.count)
    let end = min(start + limit, items.count)
    return (Array(items[start..<end]), end < items.count)
  }
}

/// Refuses an empty id.
func require(_ id: String, _ name: String) throws(MockFailure) {
  if id.isEmpty { throw MockFailure(.invalidArgument, "\(name) must not be empty") }
}
