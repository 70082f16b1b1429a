import NovaCore
import NovaCoverage

/// The most recent requests. They are masked when they are read, because masking takes longer than most requests.
struct RequestLog: Sendable {
  static let capacity = 10_000
  /// The maximum size of all bodies and headers together; those of the oldest requests are dropped first.
  static let maximumBytes = 16 << 20
  /// The maximum number of refused requests, until the log is cleared. A web page can cause any number of them, which must
  /// not displace the calls.
  static let maximumRefusals = 1000

  /// Identifies this log, because the numbers of another one begin at 1, too.
  let id: String
  /// The backend's clock, which dates the requests.
  var clock = MockClock()
  /// What the requests tried of the contract; nil if it is not counted. It covers all requests, also those that were removed.
  var coverage: CoverageRecorder?
  private var entries: [LoggedRequest] = []
  /// The number of the last request.
  private(set) var last = 0
  /// The number of the last request that ``removeAll()`` removed; 0 if there is none.
  private(set) var cleared = 0
  private var bytes = 0
  /// The number of logged requests that were refused, and so are no calls.
  private(set) var refusedCount = 0
  /// The value of ``refusedCount`` when the log was last cleared.
  private var refusedBefore = 0
  /// The number of the first request whose content is stored.
  private var firstWithContent = 1

  init() {
    let random = UInt64.random(in: .min ... .max)
    id = Hexadecimal.encode((0..<8).map { UInt8(truncatingIfNeeded: random >> ($0 * 8)) })
  }

  /// The number of the oldest stored request; one more than ``last`` if there is none.
  var first: Int { last - entries.count + 1 }

  /// Whether another refused request is stored.
  var takesRefusals: Bool { refusedCount - refusedBefore < Self.maximumRefusals }

  /// Appends an entry, and returns those whose content exceeds the limit, for ``replace(_:)``.
  ///
  /// - Parameter entry: changes places with the oldest one if the log is full. Freeing that takes as long as appending
  ///   another, so the caller does it outside of the lock.
  mutating func append(_ entry: inout LoggedRequest) -> [LoggedRequest] {
    last += 1
    entry.number = last
    if entry.refusal != nil { refusedCount += 1 }
    entry.time = clock.shown(entry.time)
    bytes += entry.contentSize
    if entries.count < Self.capacity {
      entries.append(entry)
    } else {
      bytes -= entries[place(last)].contentSize
      swap(&entries[place(last)], &entry)
    }
    firstWithContent = max(firstWithContent, first)
    var excess: [LoggedRequest] = []
    while bytes > Self.maximumBytes, firstWithContent < last {
      bytes -= entries[place(firstWithContent)].contentSize
      excess.append(entries[place(firstWithContent)].releaseContent())
      firstWithContent += 1
    }
    return excess
  }

  /// Replaces the entry with the same number, if it is still stored.
  mutating func replace(_ entry: LoggedRequest) {
    if entry.number >= first, entry.number <= last { entries[place(entry.number)] = entry }
  }

  func requests(after number: Int, limit: Int) -> [LoggedRequest] {
    let start = max(first, min(max(0, number), last) + 1)
    let end = min(last, start - 1 + min(max(0, limit), Self.capacity))
    return start <= end ? (start...end).map { entries[place($0)] } : []
  }

  /// Removes all requests. Numbers are not reused.
  mutating func removeAll() {
    entries = []
    (cleared, bytes, firstWithContent) = (last, 0, last + 1)
    refusedBefore = refusedCount
  }

  private func place(_ number: Int) -> Int { (number - 1 - cleared) % Self.capacity }
}

extension Locked<RequestLog> {
  /// - Parameter response: the response; nil if a fault prevented one.
  func record(_ call: IncomingCall, _ response: HTTPResponse?) {
    // Reading the request takes long, so no other call waits for it.
    if withLock({ $0.coverage != nil }), let observation = CoverageObservation(call, response) {
      withLock { $0.coverage?.add(observation) }
    }
    record(LoggedRequest(call, response))
  }

  func record(_ entry: LoggedRequest) {
    var entry = entry
    for var old in withLock({ $0.append(&entry) }) {
      // Finding the secrets takes long, so no other call waits for it.
      old.dropContent()
      withLock { [old] log in log.replace(old) }
    }
  }
}
