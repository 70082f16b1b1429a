import Dispatch
public import NovaCore
public import NovaMock

/// A file that stores a backend's state beyond the life of the process.
///
/// It is a journal: a first line that describes the initial state, and a line for each change since. A line is written
/// before its change is applied, and is on the disk before a client gets the response. Concurrent changes share one wait
/// for the disk.
public final class StateFile: Sendable {
  private struct State {
    /// Where the next line begins.
    var length: Int64
    /// The number of bytes ever added; unlike the length, it never decreases.
    var added: Int64 = 0
    var durable: Int64 = 0
    var isSynchronizing = false
    var waiting: [(position: Int64, continuation: CheckedContinuation<Void, any Error>)] = []
    /// Set once the content of the file is uncertain.
    var failure: StateFileError?
    /// What another program has done to the file; nil once the file is back.
    var change: StateFileError?
  }

  private let descriptor: StateDescriptor
  private let headLength: Int64
  private let state: Locked<State>
  private let warn: @Sendable (String) -> Void
  /// Waits for the disk, so that Swift's own threads are not blocked.
  private let queue = DispatchQueue(label: "nova.state-file")

  /// Opens or creates a state file, restores its state in a new backend, and stores all further changes in it.
  ///
  /// - Parameters:
  ///   - path: the file. Only its owner can read it, and only one server can use it at a time. A file that is not a state
  ///     file, or is a symbolic link, is refused and not changed.
  ///   - backend: a backend as it was when the file was created: the same seed and data set, and no requests yet.
  ///   - warn: called with a warning about damaged lines, which are skipped while the original file is kept as
  ///     `<path>.damaged-<number>`, and about an incomplete last line, which is dropped. Later, called when a change is
  ///     refused because another program has removed, replaced, or changed the file, and when it is back.
  /// - Throws: ``StateFileError``.
  public init(
    _ path: String, of backend: MockBackend, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws {
    self.warn = warn
    let descriptor = try StateDescriptor(path)
    let media = try MediaFolder(at: "\(path).media", limit: backend.mediaLimit)
    backend.use(media)
    let head = StateHead(seed: backend.seed, dataSet: backend.dataSet.name)
    var isDamaged = false
    if let headEnd = try head.end(in: descriptor) {
      try descriptor.makePrivate()
      headLength = headEnd
      let (file, length, hasDamage) = try Self.restore(backend, from: descriptor, at: headEnd, warn: warn)
      (self.descriptor, isDamaged) = (file, hasDamage)
      state = Locked(State(length: length))
    } else {
      try descriptor.makePrivate()
      let line = StateLine.make(head.json)
      try descriptor.write(line, at: 0)
      headLength = Int64(line.count)
      self.descriptor = descriptor
      state = Locked(State(length: headLength))
    }
    // Anything after it is the incomplete line that was reported.
    try self.descriptor.truncate(to: state.withLock { $0.length })
    try self.descriptor.synchronize()
    self.descriptor.synchronizeFolder()
    let kept = media.finishRestoring(isDamaged: isDamaged)
    if !kept.isEmpty {
      warn("kept the uploaded bytes that damaged lines may refer to: \(kept.joined(separator: ", "))")
    }
    backend.attach(self)
  }

  /// Applies the changes in a file, and returns the file to continue with: a new one if lines are damaged.
  private static func restore(
    _ backend: MockBackend, from descriptor: StateDescriptor, at headEnd: Int64, warn: (String) -> Void
  ) throws -> (StateDescriptor, length: Int64, isDamaged: Bool) {
    var reader = StateFileReader(descriptor, from: headEnd)
    var damage = StateDamage()
    var (end, incomplete): (Int64, Range<Int64>?) = (headEnd, nil)
    while let line = try reader.next() {
      switch line {
      case .incomplete:
        incomplete = reader.place
        continue
      case .damaged: damage.add(reader.lineNumber, at: reader.place)
      case .change(let change):
        do throws(MockJournalError) {
          try backend.replay(change)
        } catch  where error.isMediaDamage {
          damage.add(reader.lineNumber, at: reader.place, reason: error.description)
        } catch {
          throw StateFileError(descriptor.path, "cannot be used from line \(reader.lineNumber) on: \(error)")
        }
      }
      end = reader.place.upperBound
    }
    var (file, length) = (descriptor, end)
    if !damage.isEmpty {
      let repaired = try damage.repair(descriptor, upTo: end)
      warn(damage.report(descriptor.path, aside: repaired.aside))
      (file, length) = (repaired.descriptor, repaired.length)
    }
    if let incomplete { warn(report(incomplete, lineNumber: reader.lineNumber, of: descriptor.path)) }
    return (file, try terminate(file, at: length), !damage.isEmpty)
  }

  /// Adds the line break that the last line may have lost, and returns where the next line begins.
  private static func terminate(_ file: StateDescriptor, at length: Int64) throws(StateFileError) -> Int64 {
    let lineBreak = UInt8(ascii: "\n")
    guard try file.read(at: length - 1, count: 1) != [lineBreak] else { return length }
    try file.write([lineBreak], at: length)
    return length + 1
  }

  /// The warning about an incomplete last line.
  private static func report(_ place: Range<Int64>, lineNumber: Int, of path: String) -> String {
    "the state file \(path) ended with an incomplete line \(lineNumber), and its \(place.count) "
      + "byte\(place.count == 1 ? " was" : "s were") dropped: a server that is stopped while it writes leaves such a line, "
      + "and no client received a response for it"
  }
}

extension StateFile: MockJournal {
  package func append(_ line: [UInt8]) throws -> Int64 {
    let line = StateLine.make(line)
    return try changing { state throws(StateFileError) in
      do throws(StateFileError) {
        try descriptor.write(line, at: state.length)
      } catch {
        // Half a line before others would make them unreadable.
        do throws(StateFileError) { try descriptor.truncate(to: state.length) } catch { state.failure = error }
        throw error
      }
      state.length += Int64(line.count)
      state.added += Int64(line.count)
      return state.added
    }
  }

  package func removeAll() throws -> Int64 {
    try changing { state throws(StateFileError) in
      try descriptor.truncate(to: headLength)
      // The files that the changes refer to are removed next.
      do throws(StateFileError) {
        try descriptor.synchronize()
      } catch {
        state.failure = error
        throw error
      }
      state.length = headLength
      state.added += 1
      return state.added
    }
  }

  /// Changes the file, unless its content is uncertain or another program has changed it.
  private func changing<Value: Sendable>(
    _ body: (inout State) throws(StateFileError) -> Value
  ) throws(StateFileError) -> Value {
    let (result, report) = state.withLock { state -> (Result<Value, StateFileError>, String?) in
      if let failure = state.failure { return (.failure(failure), nil) }
      let before = state.change?.description
      do throws(StateFileError) {
        try descriptor.requireUnchanged(length: state.length)
        state.change = nil
      } catch {
        state.change = error
        return (.failure(error), before == error.description ? nil : error.description)
      }
      let result = Result { () throws(StateFileError) in try body(&state) }
      return (result, before == nil ? nil : "the state file \(descriptor.path) is back; changes are stored again")
    }
    // Not while other changes wait for it.
    if let report { warn(report) }
    return try result.get()
  }

  package func waitUntilDurable(_ position: Int64) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      let result: Result<Void, any Error>? = state.withLock { state in
        if state.durable >= position { return .success(()) }
        if let failure = state.failure { return .failure(failure) }
        state.waiting.append((position, continuation))
        if !state.isSynchronizing {
          state.isSynchronizing = true
          queue.async { self.synchronize() }
        }
        return nil
      }
      if let result { continuation.resume(with: result) }
    }
  }

  /// Flushes the file to the disk until no change waits.
  private func synchronize() {
    while true {
      let target = state.withLock { $0.added }
      let result = Result { () throws(StateFileError) in try descriptor.synchronize() }
      let (done, isIdle) = state.withLock { state in
        switch result {
        case .success: state.durable = max(state.durable, target)
        // After a failure the system may drop what it could not write: the file's content is uncertain from here on.
        case .failure(let error): state.failure = error
        }
        let isOver = state.failure != nil
        let durable = state.durable
        let done = state.waiting.filter { isOver || $0.position <= durable }
        state.waiting.removeAll { isOver || $0.position <= durable }
        state.isSynchronizing = !state.waiting.isEmpty
        return (done, state.waiting.isEmpty)
      }
      for waiter in done { waiter.continuation.resume(with: result.mapError { $0 as any Error }) }
      if isIdle { return }
    }
  }
}

/// Why a file cannot store a backend's state.
public struct StateFileError: NovaError {
  /// What happened and what to do.
  public let description: String

  init(_ path: String, _ problem: String) { description = "the state file \(path) \(problem)" }

  /// Creates the error of a system call.
  static func system(_ path: String, cannotBe action: String, _ error: SystemError = .last) -> StateFileError {
    StateFileError(path, "cannot be \(action): \(error.reason)")
  }
}
