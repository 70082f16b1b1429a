import Foundation

/// Events of one topic, sent to some of many subscribers.
struct FanOut {
  let program: String
  /// The number of all subscribers, and of those to the topic.
  let (subscribers, busy): (Int, Int)
  let rate: Int
  let seconds: Int

  private var figures: [String: Double] = [:]

  init(program: String, subscribers: Int, busy: Int, rate: Int, seconds: Int) {
    (self.program, self.subscribers, self.busy) = (program, subscribers, busy)
    (self.rate, self.seconds) = (rate, seconds)
  }

  /// Prints the figures as a line of JSON, and returns whether the server has kept up.
  @discardableResult
  mutating func run(as kind: String) throws -> Bool {
    let server = try Server(program)
    defer { server.stop() }
    let poster = Poster(connection: try AdminConnection(port: server.port))
    // As many seconds as fit: the server stores no more than 32 MB of events.
    try poster.connection.send("PATCH", to: "/_nova/events", Array(#"{"history":60000}"#.utf8))
    figures["memory_empty_mb"] = Double(server.usage.residentMegabytes)
    let crowd = try Helper(
      CommandLine.arguments[0], ["crowd", "\(server.port)", "\(subscribers)", "\(busy)"])
    defer { crowd.stop() }
    figures["connect_s"] = Double(try crowd.report()["milliseconds"]) / 1000
    figures["memory_connected_mb"] = Double(server.usage.residentMegabytes)
    let warmUp = try warm(server, by: poster, for: crowd)
    let isComplete = try measure(poster, server, with: crowd, posted: warmUp)
    try wakeIdle(poster, crowd)
    figures["complete"] = isComplete ? 1 : 0
    printFigures(kind, rate: rate, seconds: seconds, figures)
    return isComplete
  }

  /// Fills the server's history, so that its memory is that of a server which has run for long.
  private mutating func warm(_ server: Server, by poster: Poster, for crowd: Helper) throws -> Int {
    let rate = max(rate, 4000)
    let seconds = (60_000 + rate - 1) / rate
    for part in 0..<seconds {
      _ = try poster.post(rate: rate, seconds: 1)
      _ = try settled(crowd, (part + 1) * rate)
    }
    figures["memory_history_mb"] = Double(server.usage.residentMegabytes)
    return rate * seconds
  }

  private mutating func measure(
    _ poster: Poster, _ server: Server, with crowd: Helper, posted earlier: Int
  ) throws -> Bool {
    let (start, readersStart) = (server.usage, try crowd.ask("reset")["cpu"])
    var memory: [Int] = []
    let duration = try poster.post(rate: rate, seconds: seconds) { memory.append(server.usage.residentMegabytes) }
    let (end, readersEnd) = (server.usage, try crowd.ask("stats")["cpu"])
    let report = try settled(crowd, earlier + rate * seconds)
    let sent = Double(rate * seconds)
    figures["events_per_second"] = sent / duration
    figures["deliveries_per_second"] = Double(report["received"]) / duration
    figures["missing"] = Double(rate * seconds * busy - report["received"])
    for name in ["lost", "repeated", "ends", "closed", "refusals"] { figures[name] = Double(report[name]) }
    figures.merge(report.latencies(prefix: "")) { _, new in new }
    figures["memory_least_mb"] = memory.min().map(Double.init)
    figures["memory_most_mb"] = memory.max().map(Double.init)
    figures["threads"] = Double(end.threads)
    let cpu = Double(end.processorTime - start.processorTime)
    figures["server_cpu_percent"] = cpu / duration / 1e4
    figures["server_us_per_delivery"] = cpu / sent / Double(busy)
    figures["readers_cpu_percent"] = Double(readersEnd - readersStart) / duration / 1e4
    return report["least"] == earlier + rate * seconds && report["lost"] == 0 && report["repeated"] == 0
      && report["closed"] == 0 && report["ends"] == 0 && duration < Double(seconds) * 1.02
  }

  /// One event for all others, who have only had signs of life.
  private mutating func wakeIdle(_ poster: Poster, _ crowd: Helper) throws {
    guard subscribers > busy else { return }
    figures["signs_of_life"] = Double(try crowd.ask("reset")["alive"])
    try poster.send([monotonicTime()], to: Crowd.idleTopic)
    var report = try crowd.ask("stats")
    for _ in 0..<100 where report["received"] < subscribers - busy {
      usleep(50_000)
      report = try crowd.ask("stats")
    }
    figures["idle_received"] = Double(report["received"])
    figures.merge(report.latencies(prefix: "idle_")) { _, new in new }
  }

  /// Waits until each subscriber has received a number of events, or nobody receives more.
  private func settled(_ crowd: Helper, _ count: Int) throws -> Report {
    var report = try crowd.ask("stats")
    var quiet = 0
    while report["least"] < count, quiet < 100 {
      usleep(50_000)
      let next = try crowd.ask("stats")
      quiet = next["received"] == report["received"] ? quiet + 1 : 0
      report = next
    }
    return report
  }
}

/// Prints what was measured at one rate as a line of JSON.
func printFigures(_ kind: String, rate: Int, seconds: Int, _ figures: [String: Double]) {
  let members = figures.sorted { $0.key < $1.key }.map { #", "\#($0.key)": \#($0.value)"# }
  print(#"{"kind": "\#(kind)", "rate": \#(rate), "seconds": \#(seconds)\#(members.joined())}"#)
  fflush(nil)
}
