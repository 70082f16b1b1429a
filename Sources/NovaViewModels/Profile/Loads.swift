/// Which loads are under way, and which of them is the last for what.
///
/// Only the last load for something may change it. A load that is the last for nothing any more is cancelled.
struct Loads {
  private struct Load {
    var parts: Set<ProfilePart>
    var task: Task<Void, Never>?
  }

  private var underWay: [Int: Load] = [:]
  private var lastNumber = 0

  var areUnderWay: Bool { !underWay.isEmpty }

  /// Begins a load of parts, which from now on no earlier load may change.
  mutating func begin(_ parts: [ProfilePart]) -> Int {
    supersede(parts)
    lastNumber += 1
    underWay[lastNumber] = Load(parts: Set(parts))
    return lastNumber
  }

  /// Hands over the task that loads, to be cancelled when nobody needs it any more.
  mutating func run(_ number: Int, _ task: Task<Void, Never>) { underWay[number]?.task = task }

  /// Ends a load; the parts that it may change.
  mutating func end(_ number: Int) -> Set<ProfilePart> { underWay.removeValue(forKey: number)?.parts ?? [] }

  /// Whether a load may still change something.
  func isUnderWay(_ number: Int) -> Bool { underWay[number] != nil }

  /// Whether a load of this part is under way.
  func isLoading(_ part: ProfilePart) -> Bool { underWay.values.contains { $0.parts.contains(part) } }

  /// Takes these parts from all loads.
  mutating func supersede(_ parts: [ProfilePart]) {
    for (number, load) in underWay {
      let rest = load.parts.subtracting(parts)
      underWay[number]?.parts = rest
      guard rest.isEmpty else { continue }
      load.task?.cancel()
      underWay[number] = nil
    }
  }
}
