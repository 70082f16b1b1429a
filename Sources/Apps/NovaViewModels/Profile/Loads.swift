/// The loads in progress.
///
/// Only the last load of a part may change that part. A load that is not the last one of any of its parts is cancelled.
struct Loads {
  private struct Load {
    var parts: Set<ProfilePart>
    var task: Task<Void, Never>?
  }

  private var running: [Int: Load] = [:]
  private var lastNumber = 0

  var areRunning: Bool { !running.isEmpty }

  /// Begins a load of parts. From now on, earlier loads may not change these parts.
  mutating func begin(_ parts: [ProfilePart]) -> Int {
    supersede(parts)
    lastNumber += 1
    running[lastNumber] = Load(parts: Set(parts))
    return lastNumber
  }

  /// Sets the task of a load, which is cancelled when the load is superseded.
  mutating func setTask(_ task: Task<Void, Never>, of number: Int) { running[number]?.task = task }

  /// Ends a load.
  ///
  /// - Returns: the parts that the load may change.
  mutating func end(_ number: Int) -> Set<ProfilePart> { running.removeValue(forKey: number)?.parts ?? [] }

  /// The parts that a load may still change.
  func parts(of number: Int) -> Set<ProfilePart> { running[number]?.parts ?? [] }

  /// Whether a load may still change something.
  func isRunning(_ number: Int) -> Bool { running[number] != nil }

  /// Whether a load of this part is in progress.
  func isLoading(_ part: ProfilePart) -> Bool { running.values.contains { $0.parts.contains(part) } }

  /// Removes these parts from all loads.
  mutating func supersede(_ parts: [ProfilePart]) {
    for (number, load) in running {
      let rest = load.parts.subtracting(parts)
      running[number]?.parts = rest
      guard rest.isEmpty else { continue }
      load.task?.cancel()
      running[number] = nil
    }
  }
}
