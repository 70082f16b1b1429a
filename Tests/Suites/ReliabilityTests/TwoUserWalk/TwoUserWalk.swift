import NovaAuth
import NovaCore
import NovaOffline
import NovaSDK
import NovaTestSupport
import NovaTesting
import NovaTracking

/// A random history of several users on one client, one store, one cache, and one event hub.
///
/// Operations run beside each other; the gateway holds some of their requests until a later step, so that users sign in
/// and out while they wait. What may happen is decided by the seed, the order in which tasks run is not: nothing wrong
/// may happen in any.
final class TwoUserWalk {
  let clients: WalkClients
  let gateway: WalkGateway
  var generator: SeededGenerator
  /// The files that are being downloaded.
  let places = Locked<Set<String>>([])
  private(set) var operations: [WalkOperation] = []
  private var tasks: [Task<Void, Never>] = []
  private var change: Task<Void, Never>?
  private(set) var log: [String] = []

  init(seed: UInt64, by way: WalkWay = .http) async throws {
    gateway = WalkGateway(seed: seed)
    clients = try await WalkClients(gateway, by: way)
    generator = SeededGenerator(seed: seed)
  }

  func run(steps: Int) async throws {
    changeSession()
    for _ in 0..<steps {
      try await step()
      await letOthersRun()
    }
  }

  private func step() async throws {
    switch generator.next(below: 100) {
    case 0..<60: begin()
    case 60..<72: gateway.hold.releaseOne()
    case 72..<82: changeSession()
    case 82..<86: clients.switching.change(to: user)
    case 86..<88: gateway.revokeSessions(of: user)
    case 88: gateway.revoke(clients.switching.text)
    case 89..<93: for user in WalkGateway.users { gateway.emit(to: user) }
    case 93: gateway.endStreams()
    case 94: tasks.randomElement(using: &generator)?.cancel()
    case 95..<98:
      let isUp = generator.one(in: 2)
      log.append("the gateway is \(isUp ? "up" : "down")")
      gateway.set(isUp: isUp)
    default:
      log.append("restart")
      try await clients.restart(after: change)
    }
  }

  private var user: String { WalkGateway.users[generator.next(below: WalkGateway.users.count)] }

  private func begin() {
    // Writes twice as often, and a look at those that wait.
    let kinds = WalkOperation.Kind.allCases + [.write, .flush, .download, .crowd]
    let kind = kinds[generator.next(below: kinds.count)]
    // Half of all by the session, whose user changes.
    let seat = generator.one(in: 2) ? clients.seats[0] : clients.seats[generator.next(below: clients.seats.count)]
    if kind == .track, !seat.tracks { return }
    let operation = WalkOperation(operations.count, kind, by: seat, began: clients.time.next())
    log.append("\(operation.id): \(kind) by \(seat.name)")
    operations.append(operation)
    let (work, time) = (work(of: operation), clients.time)
    tasks.append(
      Task {
        do {
          try await work()
          operation.end(nil, at: time.next())
        } catch { operation.end(error, at: time.next()) }
      })
  }

  /// A sign-in or sign-out, which takes its time like every call; one after the other.
  private func changeSession() {
    let next = generator.one(in: 4) ? nil : user
    log.append(next.map { "\($0) signs in" } ?? "sign-out")
    let (before, nova, session) = (change, clients.signedIn, clients.session)
    change = Task {
      await before?.value
      session.begin(next ?? WalkGateway.nobody)
      do {
        if let next {
          _ = try await nova.sessions.signIn(email: "\(next)@mail.example", password: "password-\(next)")
        } else {
          try await nova.sessions.signOut()
        }
        session.finish()
      } catch {}
    }
  }

  /// Lets the operations get somewhere: to their end, or to where the gateway holds them.
  private func letOthersRun() async {
    for _ in 0..<generator.next(below: 4) {
      let active = operations.count { $0.current.ended == nil }
      if active <= gateway.hold.count { return }
      try? await Task.sleep(for: .microseconds(300))
    }
  }

  // MARK: The end

  /// Brings everything to its end, and sends all that waits.
  func finish() async throws {
    gateway.set(isUp: true)
    gateway.hold.open()
    await change?.value
    await letEventsArrive()
    for (operation, task) in zip(operations, tasks) where operation.kind == .follow { task.cancel() }
    for task in tasks { await task.value }
    for user in WalkGateway.users {
      _ = try? await clients.signedIn.sessions.signIn(email: "\(user)@mail.example", password: "password-\(user)")
      try await clients.signedIn.offline.outbox.flush()
    }
    for seat in clients.seats where seat.user != nil { try await seat.nova.offline.outbox.flush() }
    await clients.tracker.flush()
  }

  /// Lets something happen until a stream has it. Over sockets, a stream may still be beginning when all steps are done.
  private func letEventsArrive() async {
    let streams = operations.filter { $0.kind == .follow }
    for _ in 0..<100 {
      let open = streams.filter { $0.current.ended == nil }
      if open.isEmpty || streams.contains(where: { !$0.current.marks.isEmpty }) { return }
      for user in WalkGateway.users { gateway.emit(to: user) }
      try? await Task.sleep(for: .milliseconds(10))
    }
  }

  /// Reads, without the gateway, what is stored for each seat.
  func readWhatIsStored() async {
    gateway.set(isUp: false)
    let seats = clients.seats.filter { $0.user != nil || $0.name == "no token" }
    for seat in seats {
      for kind in [WalkOperation.Kind.post, .post, .profile, .followers, .image, .image, .image, .bytes] {
        let operation = WalkOperation(operations.count, kind, by: seat, began: clients.time.next())
        operations.append(operation)
        do {
          try await work(of: operation)()
          operation.end(nil, at: clients.time.next())
        } catch { operation.end(error, at: clients.time.next()) }
      }
    }
  }

  /// Everything that must not have happened.
  var faults: [String] {
    gateway.state.withLock { $0.faults } + uploadFaults + operations.flatMap { $0.faults(by: gateway) }
  }

  /// Uploads hold what their users have sent.
  private var uploadFaults: [String] {
    let named = Set(operations.filter { $0.kind == .upload && $0.possibleOwners.count == 1 }.compactMap(\.current.user))
    return gateway.state.withLock { state in
      state.uploads.compactMap { id, upload in
        let owners = WalkGateway.owners(of: upload.bytes.count % 4 == 0 ? upload.bytes : [])
        let isMixed = owners.count > 1 || !owners.isSubset(of: [upload.userId])
        return isMixed && named.contains(upload.userId) ? "upload \(id) of \(upload.owner) has bytes of \(owners)" : nil
      }
    }
  }
}
