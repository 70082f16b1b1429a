import NovaCore
import NovaFleet
import NovaLibc

/// One process of a service on a fleet: makes calls for two users at once, with shared sessions, limits, caches, and an
/// outbox, and checks that each answer is its viewer's.
///
/// It prints a line for each event: `ready`, `sent KEY` and `done KEY` for a write, `problem TEXT`, and at last `ended`. It
/// walks until the file `--until` exists, then delivers the waiting writes. It ends with its parent.
enum Walker {
  static func run(_ arguments: [String]) async throws {
    let arguments = try WalkerArguments(arguments)
    endWithParent()
    let services = try WalkerServices(arguments)
    FleetMachine.print("ready")
    let delivery = Task { await services.replica.run() }
    await withTaskGroup { group in
      for (place, me) in arguments.users.enumerated() {
        let other = arguments.users[1 - place]
        group.addTask { await UserWalk(me, beside: other, arguments, services: services, place: place).run() }
      }
    }
    while try await services.outbox.statistics().waiting > 0 { try await Task.sleep(for: .milliseconds(50)) }
    delivery.cancel()
    await delivery.value
    for user in arguments.users { await (try services.sessions(of: user)).waitForRefresh() }
    FleetMachine.print("ended")
  }

  private static func endWithParent() {
    let parent = getppid()
    Task.detached {
      while getppid() == parent { try await Task.sleep(for: .milliseconds(200)) }
      exit(1)
    }
  }
}
