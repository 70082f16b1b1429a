import NovaCore

/// Where the shown parts of a profile came from.
struct ContentOrigins: Hashable {
  private var sources: [ProfilePart: ResponseSource] = [:]
  /// The stored parts for which the gateway was asked for something newer in vain.
  private var outdated: Set<ProfilePart> = []
  /// The parts from the gateway that the store could not take: what is stored of them is older.
  private var newerThanStored: Set<ProfilePart> = []

  /// Whether a part came from a store; nil if it is not shown.
  func isStored(_ part: ProfilePart) -> Bool? { sources[part]?.isStored }

  /// Whether any part came from a store.
  var areStored: Bool { sources.values.contains(where: \.isStored) }
  /// Whether the gateway could not be asked for something newer.
  var areOutdated: Bool { !outdated.isEmpty }

  /// Whether the gateway sent a part that the store could not take.
  func isNewerThanStored(_ part: ProfilePart) -> Bool { newerThanStored.contains(part) }

  /// The age of the oldest stored part; nil without one, and if no age is known.
  var age: Duration? {
    sources.values.compactMap(\.storedAge).max()
  }

  /// Sets where a part came from.
  mutating func set(_ part: ProfilePart, to loaded: LoadedPart) {
    sources[part] = loaded.source
    newerThanStored.set(part, loaded.isNewerThanStored)
    outdated.set(part, loaded.isOutdated)
  }

  /// Sets whether the gateway was asked for something newer in vain.
  mutating func setOutdated(_ part: ProfilePart, _ isOutdated: Bool) { outdated.set(part, isOutdated) }

  /// Adds where more of a part came from.
  mutating func add(_ part: ProfilePart, _ source: ResponseSource, isOutdated: Bool) {
    sources[part] = sources[part]?.combined(with: source) ?? source
    if isOutdated { outdated.insert(part) }
  }

  mutating func remove(_ part: ProfilePart) {
    sources[part] = nil
    outdated.remove(part)
    newerThanStored.remove(part)
  }
}

extension Set {
  fileprivate mutating func set(_ element: Element, _ isIn: Bool) {
    if isIn { insert(element) } else { remove(element) }
  }
}
