import NovaCore
import NovaTestSupport
import NovaTesting
import Testing

@testable import NovaCache

/// Responses that arrive while their URL is removed.
@Suite(.hangLimit) struct RemovalTests {
  private let url = HTTPURL(received: "http://localhost/a")
  private var key: CacheKey { CacheKey(url: url, identity: nil) }
  private let head = StoredHead(
    HTTPResponse(status: 200, headers: ["Cache-Control": "max-age=60"]), requestTime: 0, responseTime: 0)

  private func call(_ store: CacheStore) -> CacheCall {
    var call = CacheCall(request: HTTPRequest(method: .get, url: url), key: key) { _ in
      HTTPResponse(status: 200)
    }
    call.mark = store.mark
    return call
  }

  enum Step: CaseIterable {
    case recorded, inserted, updated
  }

  /// A response that was requested before the removal is not stored after it, whichever comes first.
  @Test(arguments: Step.allCases, [true, false])
  func aRemovalWinsWhateverIsStoredMeanwhile(step: Step, onDisk: Bool) async throws {
    let folder = try TemporaryFolder()
    for round in 0..<(onDisk ? 200 : 2000) {
      let store = CacheStore(
        .init(memoryBytes: onDisk ? 0 : 1 << 20, directory: onDisk ? folder.path : nil), clock: ManualClock())
      let call = call(store)
      if step == .updated { store.insert(head, [1], for: key, since: store.mark) }
      let stored = store.find(key, [:]).response
      let ready = Locked(0)
      @Sendable func align() async {
        ready.withLock { $0 += 1 }
        while ready.withLock({ $0 }) < 2 { await Task.yield() }
      }
      await withTaskGroup { group in
        group.addTask {
          await align()
          let recorder = store.recorder(head, key, of: call, length: 1)
          recorder.append([1])
          switch step {
          case .recorded: recorder.finish()
          case .inserted: store.insert(head, [1], for: key, since: call.mark)
          case .updated: if let stored { store.update(stored, with: head, at: (key, head.selection)) }
          }
        }
        group.addTask {
          await align()
          store.remove(url)
        }
      }
      #expect(store.find(key, [:]).response == nil, "round \(round)")
    }
  }

  @Test func whatIsRequestedAfterARemovalIsStored() throws {
    let store = CacheStore(.init(), clock: ManualClock())
    store.remove(url)
    store.insert(head, [1], for: key, since: store.mark)
    #expect(store.find(key, [:]).response != nil)
  }
}
