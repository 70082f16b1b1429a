import NovaSupport

/// Rows that can still be read in a database that SQLite cannot open.
///
/// Reads the bytes of the file and of its write-ahead log, and changes nothing. A table's tree may be broken, so this
/// reads every page of rows, except pages that are listed as free. Rows that a program deleted with `secure_delete` do
/// not reappear.
///
/// See https://www.sqlite.org/fileformat2.html.
package struct DamagedPages {
  /// A row of a table with a rowid.
  package struct Row: Sendable, Hashable {
    package var id: Int64
    package var values: [ColumnValue]

    package init(id: Int64, values: [ColumnValue]) { (self.id, self.values) = (id, values) }
  }

  private static let leafOfTable: UInt8 = 0x0D
  private static let usualPageSize = 4096

  private let pageSize: Int
  private let usableSize: Int
  private let file: [UInt8]
  /// The newest version of each page in the write-ahead log.
  private let newer: [Int: ArraySlice<UInt8>]

  /// - Parameters:
  ///   - file: the bytes of the database.
  ///   - log: the bytes of its write-ahead log; empty if absent.
  package init(file: [UInt8], log: [UInt8] = []) {
    self.file = file
    let log = WriteAheadLog(log)
    newer = log?.pages ?? [:]
    let header = newer[1].map { Array($0.prefix(100)) } ?? Array(file.prefix(100))
    let isSound = header.starts(with: "SQLite format 3\0".utf8)
    let size = isSound ? Self.pageSize(header) : log?.pageSize
    pageSize = size ?? Self.usualPageSize
    usableSize = pageSize - (isSound ? Int(header[20]) : 0)
  }

  private static func pageSize(_ header: [UInt8]) -> Int? {
    guard header.count > 20 else { return nil }
    let size = Int(header[16]) << 8 | Int(header[17])
    return size == 1 ? 65_536 : size >= 512 && size & (size - 1) == 0 ? size : nil
  }

  /// The rows of all tables with this number of columns, by page. A row may occur more than once.
  package func rows(columnCount: Int) -> [Row] {
    let free = freePages
    let last = max(file.count / pageSize + 1, newer.keys.max() ?? 0)
    var rows: [Row] = []
    for number in 1...max(1, last) where !free.contains(number) {
      guard let page = page(number) else { continue }
      for row in self.rows(of: page, number) where row.values.count == columnCount { rows.append(row) }
    }
    return rows
  }

  private func page(_ number: Int) -> ArraySlice<UInt8>? {
    if let page = newer[number], page.count == pageSize { return page }
    let start = (number - 1) * pageSize
    // The last page may be truncated.
    guard number > 0, start < file.count else { return nil }
    return file[start..<min(start + pageSize, file.count)]
  }

  /// The pages that are listed as free.
  private var freePages: Set<Int> {
    var free: Set<Int> = []
    guard let first = page(1), first.starts(with: "SQLite format 3\0".utf8) else { return [] }
    var trunk = Bytes(first).integer(at: 32, count: 4)
    while trunk > 0, free.insert(trunk).inserted, let page = page(trunk) {
      let bytes = Bytes(page)
      let count = bytes.integer(at: 4, count: 4)
      for index in 0..<min(count, pageSize / 4 - 2) { free.insert(bytes.integer(at: 8 + 4 * index, count: 4)) }
      trunk = bytes.integer(at: 0, count: 4)
    }
    return free
  }

  private func rows(of page: ArraySlice<UInt8>, _ number: Int) -> [Row] {
    let bytes = Bytes(page)
    let header = number == 1 ? 100 : 0
    guard bytes.integer(at: header, count: 1) == Int(Self.leafOfTable) else { return [] }
    let count = bytes.integer(at: header + 3, count: 2)
    guard count <= pageSize / 4 else { return [] }
    return (0..<count).compactMap { index in
      row(at: bytes.integer(at: header + 8 + 2 * index, count: 2), in: bytes)
    }
  }

  private func row(at offset: Int, in page: Bytes) -> Row? {
    var place = offset
    guard offset > 0, let size = page.variable(at: &place), let id = page.variable(at: &place),
      size > 0, size <= Int64(file.count + newer.count * pageSize),
      let payload = payload(Int(size), at: place, in: page)
    else { return nil }
    return Self.values(payload).map { Row(id: id, values: $0) }
  }

  /// The bytes of a row. A long row continues on other pages.
  private func payload(_ size: Int, at place: Int, in page: Bytes) -> [UInt8]? {
    let most = usableSize - 35
    if size <= most { return page.bytes(at: place, count: size) }
    let least = (usableSize - 12) * 32 / 255 - 23
    let fit = least + (size - least) % (usableSize - 4)
    let local = fit <= most ? fit : least
    guard var payload = page.bytes(at: place, count: local) else { return nil }
    var next = page.integer(at: place + local, count: 4)
    while payload.count < size {
      guard let part = self.page(next).map(Bytes.init) else { return nil }
      guard let bytes = part.bytes(at: 4, count: min(usableSize - 4, size - payload.count)) else { return nil }
      payload += bytes
      next = part.integer(at: 0, count: 4)
    }
    return payload
  }

  private static func values(_ payload: [UInt8]) -> [ColumnValue]? {
    let bytes = Bytes(payload[...])
    var place = 0
    guard let size = bytes.variable(at: &place), size <= payload.count else { return nil }
    var (values, content) = ([ColumnValue](), Int(size))
    while place < Int(size) {
      guard let type = bytes.variable(at: &place), type >= 0, let value = bytes.value(type, at: &content) else {
        return nil
      }
      values.append(value)
    }
    return content == payload.count ? values : nil
  }
}

/// The bytes of a page. Reads outside of them return 0 or nil.
private struct Bytes {
  private let bytes: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, offset + count <= bytes.count else { return nil }
    return Array(bytes[(bytes.startIndex + offset)..<(bytes.startIndex + offset + count)])
  }

  /// An unsigned integer.
  func integer(at offset: Int, count: Int) -> Int {
    (bytes(at: offset, count: count) ?? []).reduce(0) { $0 << 8 | Int($1) }
  }

  /// A variable-length integer of 1 to 9 bytes.
  func variable(at offset: inout Int) -> Int64? {
    var value: UInt64 = 0
    for index in 0..<9 {
      guard let byte = bytes(at: offset, count: 1)?.first else { return nil }
      offset += 1
      if index == 8 { return Int64(bitPattern: value << 8 | UInt64(byte)) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte & 0x80 == 0 { return Int64(bitPattern: value) }
    }
    return nil
  }

  /// The value of a serial type.
  func value(_ type: Int64, at offset: inout Int) -> ColumnValue? {
    switch type {
    case 0: return .null
    case 1...6:
      let count = [1, 2, 3, 4, 6, 8][Int(type) - 1]
      return signed(count, at: &offset).map { .integer($0) }
    case 7: return signed(8, at: &offset).map { .real(Double(bitPattern: UInt64(bitPattern: $0))) }
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 12...:
      let count = (type - 12) / 2
      guard count <= bytes.count, let content = bytes(at: offset, count: Int(count)) else { return nil }
      offset += Int(count)
      if type % 2 == 0 { return .blob(content) }
      return String(validating: content, as: UTF8.self).map { .text($0) }
    default: return nil
    }
  }

  private func signed(_ count: Int, at offset: inout Int) -> Int64? {
    guard let bytes = bytes(at: offset, count: count), let first = bytes.first else { return nil }
    offset += count
    let start: Int64 = first & 0x80 == 0 ? 0 : -1
    return bytes.reduce(start) { $0 << 8 | Int64($1) }
  }
}

/// The committed pages of a write-ahead log.
private struct WriteAheadLog {
  let pageSize: Int
  private(set) var pages: [Int: ArraySlice<UInt8>] = [:]

  init?(_ log: [UInt8]) {
    let bytes = Bytes(log[...])
    guard [0x377F_0682, 0x377F_0683].contains(bytes.integer(at: 0, count: 4)) else { return nil }
    let size = bytes.integer(at: 8, count: 4)
    guard (512...65_536).contains(size), size & (size - 1) == 0 else { return nil }
    pageSize = size
    let salts = bytes.bytes(at: 16, count: 8)
    var (place, pending) = (32, [Int: ArraySlice<UInt8>]())
    while place + 24 + size <= log.count, bytes.bytes(at: place + 8, count: 8) == salts {
      pending[bytes.integer(at: place, count: 4)] = log[(place + 24)..<(place + 24 + size)]
      // A frame that contains the database's size ends a transaction.
      if bytes.integer(at: place + 4, count: 4) > 0 {
        pages.merge(pending) { $1 }
        pending = [:]
      }
      place += 24 + size
    }
  }
}
