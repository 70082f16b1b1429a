// One machine of a fleet; Benchmarks/fleet starts several as processes.
//
//   FleetBenchmark schema <store>
//   FleetBenchmark limit <store> <rate> <burst> <start> <seconds> <callers>
//   FleetBenchmark limit-cost <store> <rate> <seconds>
//   FleetBenchmark outbox <store> <gateway> <owner> <subjects>
//   FleetBenchmark sign-in <store> <gateway> <user>
//   FleetBenchmark refresh <store> <gateway> <user> [listening]
//   FleetBenchmark load <lease | cached read | refresh> <store> <count> <tasks>
//
// <store> is `redis://…` or libpq's connection string.

import NovaFleet
import NovaPostgreSQL

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

struct Usage: Error {}

@main struct FleetBenchmark {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst(2))
    do {
      switch CommandLine.arguments.dropFirst().first {
      case "schema" where arguments.count == 1: try await createSchema(arguments[0])
      case "limit": try await Limits.use(arguments)
      case "limit-cost": try await Limits.cost(arguments)
      case "outbox": try await Outboxes.deliver(arguments)
      case "sign-in": try await Refreshes.signIn(arguments)
      case "refresh": try await Refreshes.ask(arguments)
      case "load": try await Loads.run(arguments)
      default: throw Usage()
      }
    } catch is Usage {
      print("usage: see the first lines of FleetBenchmark.swift")
      exit(2)
    } catch {
      print("FleetBenchmark: \(error)")
      exit(1)
    }
  }

  private static func createSchema(_ store: String) async throws {
    let pool = try PostgreSQLPool(store)
    try await PostgreSQLLimitStore(pool).createSchema()
    try await FleetSessions.createTable(on: pool)
    try await FleetOutbox(pool).prepare()
  }
}

/// CLOCK_MONOTONIC in ns.
func monotonicTime() -> Int { time(of: CLOCK_MONOTONIC) }

/// The CPU time of this process in ns.
func processorTime() -> Int { time(of: CLOCK_PROCESS_CPUTIME_ID) }

private func time(of clock: clockid_t) -> Int {
  var time = timespec()
  clock_gettime(clock, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Prints a line at once.
func report(_ text: String) {
  print(text)
  fflush(nil)
}

/// Waits until the program's input is closed.
func endOfInput() async throws {
  while true {
    var input = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    if poll(&input, 1, 0) > 0, read(0, &byte, 1) <= 0 { return }
    try await Task.sleep(for: .milliseconds(50))
  }
}
