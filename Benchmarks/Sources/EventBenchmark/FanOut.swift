import Foundation

/// Events of one topic, sent to some of many subscribers.
struct FanOut {
  let program: String
  /// The number of all subscribers, and of those to the topic.
  let (subscribers, busy): (Int, Int)
  let rate: Int
  let seconds: Int

  /// Whether the server has kept up.
  @discardableResult
  func run() throws -> Bool {
    print("\n\(rate.grouped) events/s for \(seconds) s to \(busy) of \(subscribers.grouped) subscribers")
    let server = try Server(program)
    defer { server.stop() }
    let poster = Poster(connection: try AdminConnection(port: server.port))
    // As many seconds as fit: the server stores no more than 32 MB of events.
    try poster.connection.send("PATCH", "/_nova/events", Array(#"{"history":60000}"#.utf8))
    let before = server.usage
    let crowd = try Helper(
      CommandLine.arguments[0], ["crowd", "\(server.port)", "\(subscribers)", "\(busy)"])
    defer { crowd.stop() }
    let opened = try crowd.report()["milliseconds"]
    row("connected within", "\((Double(opened) / 1000).shown(1)) s")
    row("memory of the server", "\(before.residentMegabytes) MB, with all \(server.usage.residentMegabytes) MB")
    let warmUp = try warm(poster, server, crowd)
    let isComplete = try measure(poster, server, crowd, posted: warmUp)
    try wakeIdle(poster, crowd)
    return isComplete
  }

  /// Fills the server's history, so that its memory is that of a server which has run for long.
  private func warm(_ poster: Poster, _ server: Server, _ crowd: Helper) throws -> Int {
    let rate = max(rate, 4000)
    let seconds = (60_000 + rate - 1) / rate
    for part in 0..<seconds {
      _ = try poster.post(rate: rate, seconds: 1)
      _ = try settled(crowd, (part + 1) * rate)
    }
    row("with a full history", "\(server.usage.residentMegabytes) MB")
    return rate * seconds
  }

  private func measure(_ poster: Poster, _ server: Server, _ crowd: Helper, posted earlier: Int) throws -> Bool {
    let (start, readersStart) = (server.usage, try crowd.ask("reset")["cpu"])
    var memory: [Int] = []
    let duration = try poster.post(rate: rate, seconds: seconds) { memory.append(server.usage.residentMegabytes) }
    let (end, readersEnd) = (server.usage, try crowd.ask("stats")["cpu"])
    let report = try settled(crowd, earlier + rate * seconds)
    let sent = Double(rate * seconds)
    row(
      "events/s, deliveries/s", "\(Int(sent / duration).grouped), \(Int(Double(report["received"]) / duration).grouped)"
    )
    row(
      "missing, lost, repeated",
      "\(rate * seconds * busy - report["received"]), \(report["lost"]), \(report["repeated"])")
    row("ended, closed, refused", "\(report["ends"]), \(report["closed"]), \(report["refusals"])")
    row("latency", report.latencies)
    if let first = memory.first, let last = memory.last, let least = memory.min(), let most = memory.max() {
      row(
        "memory, every second",
        "\(first) MB first, \(last) MB last, \(least) to \(most) MB; \(server.usage.residentMegabytes) MB after it")
    }
    row("threads of the server", "\(end.threads)")
    let cpu = Double(end.processorTime - start.processorTime)
    row(
      "CPU of the server",
      "\((cpu / duration / 1e4).shown(0)) % of one core, \((cpu / sent / Double(busy)).shown(2)) µs a delivery")
    row("CPU of the subscribers", "\((Double(readersEnd - readersStart) / duration / 1e4).shown(0)) % of one core")
    return report["least"] == earlier + rate * seconds && report["lost"] == 0 && report["repeated"] == 0
      && report["closed"] == 0 && report["ends"] == 0 && duration < Double(seconds) * 1.02
  }

  /// One event for all others, who have only had signs of life.
  private func wakeIdle(_ poster: Poster, _ crowd: Helper) throws {
    guard subscribers > busy else { return }
    let alive = try crowd.ask("reset")["alive"]
    try poster.send([monotonicTime()], to: Crowd.idleTopic)
    var report = try crowd.ask("stats")
    for _ in 0..<100 where report["received"] < subscribers - busy {
      usleep(50_000)
      report = try crowd.ask("stats")
    }
    row("signs of life", alive.grouped)
    row("one event to the others", "\(report["received"].grouped) received it: \(report.latencies)")
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

func row(_ name: String, _ value: String) {
  print("  \(name.padding(toLength: 26, withPad: " ", startingAt: 0)) \(value)")
  fflush(nil)
}
