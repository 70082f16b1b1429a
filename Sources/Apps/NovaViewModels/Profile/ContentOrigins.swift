import NovaCore

/// Where the shown parts of a profile came from.
struct ContentOrigins: Hashable {
  private var sources: [ProfilePart: ResponseSource] = [:]
  /// The parts that are stored ones because the gateway could not be reached.
  private var outdated: Set<ProfilePart> = []
  /// The parts from the gateway that could not be stored. The store has older content of them.
  private var newerThanStored: Set<ProfilePart> = []

  /// Whether a part came from a store; nil if it is not shown.
  func isStored(_ part: ProfilePart) -> Bool? { sources[part]?.isStored }

  /// Whether any part came from a store.
  var areStored: Bool { sources.values.contains(where: \.isStored) }
  /// Whether any part is a stored one because the gateway could not be reached.
  var areOutdated: Bool { !outdated.isEmpty }

  /// Whether a part from the gateway could not be stored.
  func isNewerThanStored(_ part: ProfilePart) -> Bool { newerThanStored.contains(part) }

  /// The age of the oldest stored part; nil without a stored part, and if no age is known.
  var age: Duration? {
    sources.values.compactMap(\.storedAge).max()
  }

  /// Sets where a part came from.
  mutating func set(_ part: ProfilePart, to loaded: LoadedPart) {
    sources[part] = loaded.source
    newerThanStored.set(part, loaded.isNewerThanStored)
    outdated.set(part, loaded.isOutdated)
  }

  /// Sets whether a part is a stored one because the gateway could not be reached.
  mutating func setOutdated(_ part: ProfilePart, _ isOutdated: Bool) { outdated.set(part, isOutdated) }

  /// Adds the source of more content of a part.
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
