import NovaCore

/// Where the shown parts of a profile came from.
struct ContentOrigins: Hashable {
  private struct Origin: Hashable {
    var source: ResponseSource
    /// Whether the part is a stored one because the gateway could not be reached.
    var isOutdated: Bool
    /// Whether the part came from the gateway and could not be stored. The store has older content of it.
    var isNewerThanStored = false
  }

  private var origins: [ProfilePart: Origin] = [:]

  /// Whether a part came from a store; nil if it is not shown.
  func isStored(_ part: ProfilePart) -> Bool? { origins[part]?.source.isStored }

  /// Whether any part came from a store.
  var areStored: Bool { origins.values.contains(where: \.source.isStored) }
  /// Whether any part is a stored one because the gateway could not be reached.
  var areOutdated: Bool { origins.values.contains(where: \.isOutdated) }

  /// Whether a part from the gateway could not be stored.
  func isNewerThanStored(_ part: ProfilePart) -> Bool { origins[part]?.isNewerThanStored ?? false }

  /// The age of the oldest stored part; nil without a stored part, and if no age is known.
  var age: Duration? { origins.values.compactMap(\.source.storedAge).max() }

  /// Sets where a part came from.
  mutating func set(_ part: ProfilePart, to loaded: LoadedPart) {
    origins[part] = Origin(
      source: loaded.source, isOutdated: loaded.isOutdated, isNewerThanStored: loaded.isNewerThanStored)
  }

  /// Sets whether a part is a stored one because the gateway could not be reached.
  mutating func setOutdated(_ part: ProfilePart, _ isOutdated: Bool) { origins[part]?.isOutdated = isOutdated }

  /// Adds the source of more content of a part.
  mutating func add(_ part: ProfilePart, _ source: ResponseSource, isOutdated: Bool) {
    guard let origin = origins[part] else { return }
    origins[part]?.source = origin.source.combined(with: source)
    if isOutdated { origins[part]?.isOutdated = true }
  }

  mutating func remove(_ part: ProfilePart) { origins[part] = nil }
}
