/// A list of numbers in the order of their stamps, for any size up to millions.
///
/// Stamps must increase. The entries are in chunks that grow only at the end: finding a page skips whole chunks,
/// finding an entry is a binary search for its stamp, and removing one moves only the rest of its chunk.
struct StampedList: Sendable {
  struct Entry: Sendable, Equatable {
    let stamp: Int32
    let value: Int32
  }

  /// 32 KB, the most that one removal moves. A list of a million entries has 245 chunks.
  static let chunkSize = 4096

  private var chunks: [[Entry]] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  init() {}

  /// Creates an empty list with reserved capacity.
  init(capacity: Int) {
    if capacity > 0 { chunks = [Self.chunk(min(capacity, Self.chunkSize))] }
  }

  private static func chunk(_ capacity: Int) -> [Entry] {
    var chunk: [Entry] = []
    chunk.reserveCapacity(capacity)
    return chunk
  }

  mutating func append(_ value: Int32, stamp: Int32) {
    if chunks.isEmpty {
      chunks.append([])
    } else if chunks[chunks.count - 1].count == Self.chunkSize {
      chunks.append(Self.chunk(Self.chunkSize))
    }
    chunks[chunks.count - 1].append(Entry(stamp: stamp, value: value))
    count += 1
  }

  /// Removes the entry with a stamp, if it exists.
  mutating func remove(stamp: Int32) {
    let chunk = chunks.indices.partition { (chunks[$0].first?.stamp ?? .max) <= stamp } - 1
    guard chunk >= 0 else { return }
    let index = chunks[chunk].indices.partition { chunks[chunk][$0].stamp < stamp }
    guard index < chunks[chunk].count, chunks[chunk][index].stamp == stamp else { return }
    chunks[chunk].remove(at: index)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    count -= 1
  }

  /// Returns the stamp of the first entry with a value. O(n).
  func stamp(of value: Int32) -> Int32? {
    for chunk in chunks {
      for entry in chunk where entry.value == value { return entry.stamp }
    }
    return nil
  }

  /// Calls `body` with every entry, newest first, until it returns false.
  func newestFirst(_ body: (Entry) -> Bool) {
    for chunk in chunks.reversed() {
      for entry in chunk.reversed() where !body(entry) { return }
    }
  }

  func newestFirst(offset: Int, limit: Int) -> [Entry] {
    var page: [Entry] = []
    page.reserveCapacity(min(limit, max(0, count - offset)))
    var skip = offset
    for chunk in chunks.reversed() where page.count < limit {
      let end = chunk.count - skip
      skip = max(0, -end)
      if end > 0 { for place in (max(0, end - limit + page.count)..<end).reversed() { page.append(chunk[place]) } }
    }
    return page
  }

  func oldestFirst(offset: Int, limit: Int) -> [Entry] {
    var page: [Entry] = []
    var skip = offset
    for chunk in chunks where page.count < limit {
      let start = min(skip, chunk.count)
      skip -= start
      page += chunk[start..<min(chunk.count, start + limit - page.count)]
    }
    return page
  }
}

extension Range<Int> {
  /// The first number that does not belong, if all that belong come first.
  func partition(where belongs: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = low + (high - low) / 2
      if belongs(middle) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
