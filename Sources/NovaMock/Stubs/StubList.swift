import NovaCore
import NovaRegistry

/// The stubs of a backend.
struct StubList: Sendable {
  private(set) var all: [MockBackend.ActiveStub] = []
  private var last = 0

  /// Whether an RPC has a stub.
  func contains(_ rpc: RPCDescriptor) -> Bool { !all.isEmpty && all.contains { $0.stub.descriptor.id == rpc.id } }

  mutating func add(_ stub: MockStub) -> MockBackend.ActiveStub {
    last += 1
    let active = MockBackend.ActiveStub(id: "stub-\(last)", stub: stub)
    all.append(active)
    return active
  }

  /// Returns the last stub that matches a call, and counts the call.
  mutating func match(_ rpc: RPCDescriptor, _ message: any ProtoMessage) -> MockBackend.ActiveStub? {
    let index = all.lastIndex { $0.stub.descriptor.id == rpc.id && $0.stub.matcher.matches(message) }
    guard let index else { return nil }
    all[index].hits += 1
    return all[index]
  }

  /// Removes a stub; returns false if there is none with the id.
  mutating func remove(_ id: String) -> Bool {
    let count = all.count
    all.removeAll { $0.id == id }
    return all.count < count
  }

  /// Removes all stubs. Ids are not reused.
  mutating func removeAll() { all = [] }
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

  /// Returns the stub that responds to a call; nil for none. A request that the contract does not accept matches none.
  func matchingStub(_ call: IncomingCall) -> ActiveStub? {
    guard case .api(.rpc(let rpc, let variables)) = call.route, activeStubs.withLock({ $0.contains(rpc) }),
      let message = try? HTTPTranscoder.message(
        rpc.requestType, rpc.http, variables: variables, query: call.query, body: call.request.body.inMemory)
    else { return nil }
    return activeStubs.withLock { $0.match(rpc, message) }
  }
}
