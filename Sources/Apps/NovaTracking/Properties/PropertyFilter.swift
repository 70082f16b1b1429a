import NovaAnalytics
import NovaCore

/// Decides which properties of events are recorded.
struct PropertyFilter: Sendable {
  /// The contract's limits.
  static let mostProperties = 50, longestKey = 64, longestValue = 1_000

  private let allowed: Set<String>

  init(allowed: Set<String>) {
    self.allowed = allowed.filter {
      !$0.isEmpty && $0.count <= Self.longestKey && !SecretText.isSecret(name: $0)
    }
  }

  /// The allowed properties, with values cut to the contract's length. Fast, because the caller of `track` waits for
  /// it.
  func allowed(_ properties: [String: String]) -> [String: String] {
    if properties.isEmpty { return properties }
    var kept: [String: String] = [:]
    for (key, value) in properties where allowed.contains(key) {
      kept[key] = value.utf8.count > Self.longestValue ? String(value.prefix(Self.longestValue)) : value
    }
    guard kept.count > Self.mostProperties else { return kept }
    // Sorted, so that the same event always has the same properties.
    for key in kept.keys.sorted().dropFirst(Self.mostProperties) { kept[key] = nil }
    return kept
  }

  /// Removes the values that look like secrets or personal text, or contain a known secret.
  ///
  /// - Returns: the number of removed values.
  static func removePersonalText(from event: inout AnalyticsEvent, secrets: SecretRedactor?) -> Int {
    var count = 0
    for (key, value) in event.properties {
      guard PersonalText.isLikely(value) || secrets.map({ $0.masked(value) != value }) == true else { continue }
      event.properties[key] = nil
      count += 1
    }
    return count
  }
}
