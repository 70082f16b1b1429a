import Foundation

/// What was received over all connections.
struct Tally {
  var latencies = Latencies()
  var (lost, repeated, signsOfLife, ends, refusals) = (0, 0, 0, 0, 0)
}

/// Reads one stream of server-sent events. Lines of HTTP's framing are none of theirs, and are skipped.
struct StreamReader {
  /// Whether the stream has all events of the server, so that a gap is a loss.
  let isBusy: Bool
  private(set) var isOpen = false
  private(set) var count = 0
  /// The beginning of a line.
  private var rest: [UInt8] = []
  /// The position behind the last event; nil before the stream has told where it begins.
  private var last: Int?
  private var id = 0
  private var isControl = false
  /// Where the time was in the last event.
  private var timeOffset = 0

  init(isBusy: Bool) { self.isBusy = isBusy }

  /// Reads what there is from a socket.
  ///
  /// - Returns: false at its end.
  mutating func read(_ socket: Int32, into buffer: UnsafeMutableRawBufferPointer, _ tally: inout Tally) -> Bool {
    guard let base = buffer.baseAddress else { return false }
    buffer.copyBytes(from: rest)
    let received = Foundation.read(socket, base + rest.count, buffer.count - rest.count)
    guard received > 0 else { return received < 0 && (errno == EAGAIN || errno == EINTR) }
    let (now, end) = (monotonicTime(), rest.count + received)
    var start = 0
    while let newline = memchr(base + start, 10, end - start) {
      let length = UnsafeRawPointer(newline) - UnsafeRawPointer(base + start)
      line(UnsafeRawBufferPointer(start: base + start, count: length), at: now, &tally)
      start += length + 1
    }
    rest = Array(buffer[start..<end])
    return true
  }

  private mutating func line(_ line: UnsafeRawBufferPointer, at now: Int, _ tally: inout Tally) {
    if line.begins(with: "data: ") {
      if !isControl { event(line, at: now, &tally) }
      isControl = false
    } else if line.begins(with: "id: ") {
      id = line.lastNumber
      // The position at which the stream begins.
      if last == nil { last = id }
    } else if line.begins(with: ":") {
      tally.signsOfLife += 1
    } else if line.begins(with: "event: end") || line.begins(with: "event: reset") {
      isControl = true
      tally.ends += 1
    } else if line.begins(with: "HTTP/1.1 ") {
      isOpen = line.begins(with: "HTTP/1.1 200")
      if !isOpen { tally.refusals += 1 }
    }
  }

  private mutating func event(_ line: UnsafeRawBufferPointer, at now: Int, _ tally: inout Tally) {
    count += 1
    let previous = last ?? 0
    if id <= previous { tally.repeated += 1 } else if isBusy { tally.lost += id - previous - 1 }
    last = max(previous, id)
    tally.latencies.add(nanoseconds: now - time(line))
  }

  private mutating func time(_ line: UnsafeRawBufferPointer) -> Int {
    let name: StaticString = "\"something_id\":"
    if !line.dropFirst(timeOffset).begins(with: name) {
      guard let found = line.indices.first(where: { line[$0...].begins(with: name) }) else { return 0 }
      timeOffset = found
    }
    var (number, index) = (0, timeOffset + name.utf8CodeUnitCount)
    while index < line.count, line[index] == UInt8(ascii: "\"") { index += 1 }
    while index < line.count, case let digit = line[index] &- UInt8(ascii: "0"), digit < 10 {
      number = number &* 10 &+ Int(digit)
      index += 1
    }
    return number
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func begins(with text: StaticString) -> Bool { self[...].begins(with: text) }

  /// The digits at the end.
  fileprivate var lastNumber: Int {
    var (number, factor) = (0, 1)
    for byte in reversed() {
      let digit = byte &- UInt8(ascii: "0")
      guard digit < 10 else { break }
      number &+= Int(digit) &* factor
      factor &*= 10
    }
    return number
  }
}

extension Slice<UnsafeRawBufferPointer> {
  fileprivate func begins(with text: StaticString) -> Bool {
    guard count >= text.utf8CodeUnitCount, let start = base.baseAddress else { return false }
    return memcmp(start + startIndex, text.utf8Start, text.utf8CodeUnitCount) == 0
  }
}
