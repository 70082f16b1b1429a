// How many events reach how many subscribers: `nova serve` as a process of its own, 10,000 subscribers on plain sockets,
// of which 100 receive events, then 100 subscriptions of one client, and then 100 and 1,000 users on one client, without
// sockets and with them.
//
//   EventBenchmark [--serve .build/bin/nova-serve] [--seconds 60] [--subscribers 10000] [--rates 200,20000]
//     [fan-out|limit|client|users|sockets]
//
// Prints a line of JSON per rate.

import Foundation

@main
enum EventBenchmark {
  private static let busy = 100

  static func main() async {
    do { try await run() } catch {
      print("EventBenchmark: \(error)")
      exit(1)
    }
  }

  private static func run() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.first == "crowd" {
      let numbers = arguments.compactMap { Int($0) }
      var crowd = Crowd(port: UInt16(numbers[0]), count: numbers[1], busy: numbers[2])
      return try crowd.run()
    }
    if arguments.first == "subscribe" {
      let numbers = arguments.compactMap { Int($0) }
      return try await Client.run(port: UInt16(numbers[0]), subscriptions: numbers[1], count: numbers[2])
    }
    let program = option("--serve", arguments) ?? ".build/bin/nova-serve"
    let seconds = option("--seconds", arguments).flatMap { Int($0) } ?? 60
    let subscribers = option("--subscribers", arguments).flatMap { Int($0) } ?? 10_000
    let rates = option("--rates", arguments)?.split(separator: ",").compactMap { Int($0) }
    let parts = ["fan-out", "limit", "client", "users", "sockets"].filter(arguments.contains)
    if parts.isEmpty || parts.contains("fan-out") {
      for rate in rates ?? [200, 20_000] {
        var run = fanOut(of: program, subscribers: subscribers, rate: rate, seconds: seconds)
        try run.run(as: "fan-out")
      }
    }
    if parts.isEmpty || parts.contains("limit") {
      for rate in rates ?? [20_000, 30_000, 40_000] {
        var run = fanOut(of: program, subscribers: subscribers, rate: rate, seconds: 10)
        if try !run.run(as: "limit") { break }
      }
    }
    if parts.isEmpty || parts.contains("client") {
      for rate in rates ?? [200, 1_000, 2_000, 3_000, 5_000] { try measureClient(program, rate, seconds: 10) }
    }
    if parts.isEmpty || parts.contains("users") {
      for count in [100, 1_000] { try await Users.measure(users: subscribers, subscribers: count) }
    }
    if parts.isEmpty || parts.contains("sockets") {
      for count in [100, 1_000] {
        var users = try await SocketUsers(program, users: subscribers, subscribers: count)
        try await users.measure()
      }
    }
  }

  private static func option(_ name: String, _ arguments: [String]) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    return arguments[index + 1]
  }

  private static func fanOut(of program: String, subscribers: Int, rate: Int, seconds: Int) -> FanOut {
    FanOut(program: program, subscribers: subscribers, busy: min(busy, subscribers), rate: rate, seconds: seconds)
  }

  private static func measureClient(_ program: String, _ rate: Int, seconds: Int) throws {
    let server = try Server(program)
    defer { server.stop() }
    let poster = Poster(connection: try AdminConnection(port: server.port))
    try poster.connection.send("PATCH", to: "/_nova/events", Array(#"{"history":60000}"#.utf8))
    let count = rate * seconds
    let client = try Helper(CommandLine.arguments[0], ["subscribe", "\(server.port)", "\(busy)", "\(count)"])
    defer { client.stop() }
    _ = try client.report()
    let start = monotonicTime()
    _ = try poster.post(rate: rate, seconds: seconds)
    let report = try client.report()
    let (duration, cpu) = (Double(monotonicTime() - start) / 1e9, Double(report["cpu"]))
    let received = Double(report["received"])
    var figures = report.latencies(prefix: "")
    figures["events_per_second"] = Double(count) / duration
    figures["deliveries_per_second"] = received / duration
    (figures["lost"], figures["resyncs"]) = (Double(report["lost"]), Double(report["resyncs"]))
    figures["client_cpu_percent"] = cpu / duration / 1e4
    figures["client_us_per_delivery"] = cpu / received
    printFigures("client", rate: rate, seconds: seconds, figures)
  }
}
