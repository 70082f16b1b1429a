import NovaCore
import NovaRegistry

/// The stubs of a backend.
struct StubList: Sendable {
  private(set) var all: [MockBackend.ActiveStub] = []
  private var last = 0
  /// The size of all stubs, about.
  private(set) var bytes = 0

  mutating func add(_ stub: MockStub) -> MockBackend.ActiveStub {
    last += 1
    let active = MockBackend.ActiveStub(id: "stub-\(last)", stub: stub)
    all.append(active)
    bytes += stub.size
    return active
  }

  /// Counts a call to which a stub responds.
  mutating func count(_ id: String) {
    if let index = all.firstIndex(where: { $0.id == id }) { all[index].hits += 1 }
  }

  /// Removes a stub; returns false if there is none with the id.
  mutating func remove(_ id: String) -> Bool {
    guard let index = all.firstIndex(where: { $0.id == id }) else { return false }
    bytes -= all.remove(at: index).stub.size
    return true
  }

  /// Removes all stubs. Ids are not reused.
  mutating func removeAll() { (all, bytes) = ([], 0) }
}

extension MockBackend {
  /// A stub of a backend.
  public struct ActiveStub: Sendable, Identifiable {
    /// The id, for example `stub-1`.
    public let id: String
    /// The stub.
    public let stub: MockStub
    /// The number of calls it has responded to.
    public fileprivate(set) var hits = 0

    var delay: Duration { stub.delay }

    /// The response to a request, with the request's id.
    func response(to request: HTTPRequest) -> HTTPResponse {
      var response = stub.response
      if let id = request.headers["X-Request-ID"] { response.headers["X-Request-ID"] = id }
      // A stub is data: a browser must not run it as a page of this server, which could call the admin API.
      if response.headers["X-Content-Type-Options"] == nil { response.headers["X-Content-Type-Options"] = "nosniff" }
      // Of several types, browsers take the last one.
      let types = response.headers.values(for: "Content-Type")
      if !types.allSatisfy({ ContentTypeName.of($0) == "application/json" && !$0.utf8.contains(UInt8(ascii: ",")) }) {
        response.headers.append(name: "Content-Security-Policy", value: "sandbox")
      }
      return response
    }
  }

  /// The stubs in the order in which they were added.
  public var stubs: [ActiveStub] { activeStubs.withLock { $0.all } }

  /// Adds a stub. If several match a call, the one that was added last responds.
  ///
  /// - Returns: the stub with its id, for ``removeStub(_:)``.
  @discardableResult
  public func add(_ stub: MockStub) -> ActiveStub { activeStubs.withLock { $0.add(stub) } }

  /// Removes a stub; returns false if there is none with the id.
  @discardableResult
  public func removeStub(_ id: String) -> Bool { activeStubs.withLock { $0.remove(id) } }

  /// Removes all stubs, as ``reset()`` does.
  public func removeStubs() { activeStubs.withLock { $0.removeAll() } }

  /// Whether a stub responds to some calls of an RPC.
  func hasStub(for rpc: RPCDescriptor) -> Bool { stubs.contains { $0.stub.descriptor.id == rpc.id } }

  /// Returns the stub that responds to a call, and counts the call; nil for none. A request that is not a message of
  /// the RPC matches none; the limits of its fields do not matter.
  func matchingStub(_ call: IncomingCall) -> ActiveStub? {
    let stubs = stubs
    guard !stubs.isEmpty, case .api(.rpc(let rpc, let variables)) = call.route else { return nil }
    // Decoding and comparing take long for large requests, so the lock covers neither.
    let candidates = stubs.filter { $0.stub.descriptor.id == rpc.id }
    guard !candidates.isEmpty,
      let message = try? call.message(of: rpc, variables: variables),
      let members = try? RequestMatcher.members(of: message),
      let stub = candidates.last(where: { $0.stub.matcher.matches(members) })
    else { return nil }
    activeStubs.withLock { $0.count(stub.id) }
    return stub
  }
}
