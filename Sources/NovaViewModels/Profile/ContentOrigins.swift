import NovaCore

/// Where the shown parts of a profile came from.
struct ContentOrigins: Hashable {
  private var sources: [ProfilePart: ResponseSource] = [:]
  /// The stored parts for which the gateway was asked for something newer in vain.
  private var outdated: Set<ProfilePart> = []

  /// Whether a part came from a store; nil if it is not shown.
  func isStored(_ part: ProfilePart) -> Bool? { sources[part]?.isStored }

  /// Whether any part came from a store.
  var areStored: Bool { sources.values.contains(where: \.isStored) }
  /// Whether the gateway could not be asked for something newer.
  var areOutdated: Bool { !outdated.isEmpty }

  /// The age of the oldest stored part; nil without one, and if no age is known.
  var age: Duration? {
    sources.values.compactMap { if case .cache(let age) = $0 { age } else { nil } }.max()
  }

  mutating func set(_ part: ProfilePart, _ source: ResponseSource, isOutdated: Bool) {
    sources[part] = source
    if isOutdated { outdated.insert(part) } else { outdated.remove(part) }
  }

  /// Adds where more of a part came from.
  mutating func add(_ part: ProfilePart, _ source: ResponseSource) {
    set(
      part, sources[part]?.combined(with: source) ?? source, isOutdated: outdated.contains(part) || source.isStored)
  }

  mutating func remove(_ part: ProfilePart) {
    sources[part] = nil
    outdated.remove(part)
  }
}
