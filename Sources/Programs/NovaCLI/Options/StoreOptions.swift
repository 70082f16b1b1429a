import ArgumentParser
import NovaCore

/// Whether a command uses what is stored on this machine.
struct StoreOptions: ParsableArguments {
  @Flag(help: "Send nothing: read stored data, and queue changes in the outbox.")
  var offline = false

  @Option(
    help: .value(
      "policy",
      "Store what is read; the policy says where to read from. Changes that cannot be sent wait in the outbox."))
  var cache: CacheChoice?

  func validate() throws {
    guard offline, let cache, cache != .cacheOnly else { return }
    throw ValidationError("--offline and --cache \(cache.rawValue) cannot be combined: offline, nothing is requested")
  }
}

/// Where reads get their answers from.
enum CacheChoice: String, ExpressibleByArgument, CaseIterable {
  case networkOnly = "network-only"
  case networkFirst = "network-first"
  case cacheFirst = "cache-first"
  case cacheOnly = "cache-only"

  var policy: CachePolicy {
    switch self {
    case .networkOnly: .networkOnly
    case .networkFirst: .networkFirst()
    case .cacheFirst: .cacheFirst()
    case .cacheOnly: .cacheOnly
    }
  }
}
