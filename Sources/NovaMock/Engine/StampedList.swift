/// Numbers in the order of their stamps, for lists from a handful to millions.
///
/// A new entry's stamp must be higher than those before it. The entries lie in chunks that only grow at the end: a page
/// is found by stepping over whole chunks, an entry by binary search for its stamp, and removing one moves the rest of
/// its chunk only, not of the list.
struct StampedList: Sendable {
  struct Entry: Sendable, Equatable {
    let stamp: Int32
    let value: Int32
  }

  /// 32 KB: what one removal moves at most. A list of a million has 245 chunks to step over.
  static let chunkSize = 4096

  private var chunks: [[Entry]] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  init() {}

  /// An empty list with room for what is known to come.
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

  /// Removes the entry with this stamp, if there is one.
  mutating func remove(stamp: Int32) {
    let chunk = chunks.partition { ($0.first?.stamp ?? .max) <= stamp } - 1
    guard chunk >= 0 else { return }
    let index = chunks[chunk].partition { $0.stamp < stamp }
    guard index < chunks[chunk].count, chunks[chunk][index].stamp == stamp else { return }
    chunks[chunk].remove(at: index)
    if chunks[chunk].isEmpty { chunks.remove(at: chunk) }
    count -= 1
  }

  /// The stamp of the first entry with this value. It looks at one entry after the other.
  func stamp(of value: Int32) -> Int32? {
    for chunk in chunks {
      for entry in chunk where entry.value == value { return entry.stamp }
    }
    return nil
  }

  /// Calls `body` with every entry, the newest first, until it returns false.
  func newestFirst(_ body: (Entry) -> Bool) {
    for chunk in chunks.reversed() {
      for entry in chunk.reversed() where !body(entry) { return }
    }
  }

  func newestFirst(offset: Int, limit: Int) -> [Entry] {
    var page: [Entry] = []
    var skip = offset
    for chunk in chunks.reversed() where page.count < limit {
      let end = chunk.count - skip
      skip = max(0, -end)
      if end > 0 { page += chunk[max(0, end - limit + page.count)..<end].reversed() }
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

extension Array {
  /// How many elements at the beginning satisfy `belongs`, where those that do come before those that do not.
  fileprivate func partition(where belongs: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if belongs(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Paging {
  /// The page of a list that is shown newest first.
  func newestFirst(_ list: StampedList) -> (page: [StampedList.Entry], hasMore: Bool) {
    (list.newestFirst(offset: offset, limit: limit), hasMore(list))
  }

  /// The page of a list that is shown oldest first.
  func oldestFirst(_ list: StampedList) -> (page: [StampedList.Entry], hasMore: Bool) {
    (list.oldestFirst(offset: offset, limit: limit), hasMore(list))
  }

  private func hasMore(_ list: StampedList) -> Bool { offset < list.count && list.count - offset > limit }
}
