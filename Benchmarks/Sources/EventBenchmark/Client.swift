import Foundation
import NovaCore
import NovaEvents

/// Subscriptions of one client to the topic of all events. A process of its own, so that its CPU time is the client's.
enum Client {
  private struct Sample {
    var latencies = Latencies()
    var (lost, resyncs) = (0, 0)
  }

  /// Reports when all have begun, and again when each has received `count` events.
  static func run(port: UInt16, subscriptions: Int, count: Int) async throws {
    let client = APIClient(
      configuration: try APIConfiguration(ConfigurationOverrides(baseURL: "http://127.0.0.1:\(port)")))
    let events = EventService(client: client)
    let all = (0..<subscriptions).map { _ in events.subscribe(topics: [EventTopic(rawValue: Poster.topic)]) }
    for subscription in all { try await subscription.begin() }
    Report(["subscriptions": all.count]).send()
    let start = processorTime()
    let samples = try await withThrowingTaskGroup(of: Sample.self) { group in
      for subscription in all { group.addTask { try await read(subscription, count: count) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let time = processorTime() - start
    var latencies = Latencies()
    for sample in samples { latencies.add(sample.latencies) }
    var numbers = latencies.report
    numbers["cpu"] = time
    numbers["received"] = latencies.count
    numbers["lost"] = samples.reduce(0) { $0 + $1.lost }
    numbers["resyncs"] = samples.reduce(0) { $0 + $1.resyncs }
    Report(numbers).send()
    await client.shutdown()
  }

  private static func read(_ subscription: EventSubscription, count: Int) async throws -> Sample {
    var (sample, received, last) = (Sample(), 0, 0)
    for try await update in subscription {
      guard case .event(let event) = update else {
        sample.resyncs += 1
        continue
      }
      sample.latencies.add(nanoseconds: monotonicTime() - Int(event.somethingId ?? 0))
      let offset = event.id.split(separator: ":").last.flatMap { Int($0) } ?? 0
      if last > 0, offset != last + 1 { sample.lost += 1 }
      last = offset
      received += 1
      if received == count { break }
    }
    return sample
  }
}
