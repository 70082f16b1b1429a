import NovaCore

/// Everything that is known of a stored response but its body.
struct StoredHead: Sendable, Hashable {
  var status: Int
  /// The fields of the response that may be stored.
  var headers: HTTPHeaders
  /// When the request was sent and when the response arrived, in seconds since 1970.
  var requestTime: Double
  var responseTime: Double
  /// The fields of the request that selected the response.
  var selection: [SelectingField] = []

  /// The head of a response.
  init(_ response: HTTPResponse, requestTime: Double, responseTime: Double) {
    status = response.status
    headers = HeaderRules.stored(response.headers)
    self.requestTime = requestTime
    self.responseTime = responseTime
  }

  /// The head after the server has confirmed it with a 304 or a HEAD response.
  func confirmed(by later: StoredHead) -> StoredHead {
    var head = self
    head.headers = HeaderRules.updated(headers, from: later.headers)
    // The age of the response that was confirmed does not count anymore.
    if later.headers["Age"] == nil { head.headers["Age"] = nil }
    if later.headers["Date"] == nil { head.headers["Date"] = nil }
    head.requestTime = later.requestTime
    head.responseTime = later.responseTime
    return head
  }

  /// The memory that it takes, approximately.
  var byteCount: Int {
    headers.reduce(256) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
      + selection.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) + 64 }
  }
}

// MARK: On disk

extension StoredHead {
  private static let absent = UInt32.max

  /// The head as bytes: numbers in little-endian order, texts with their lengths.
  var encoded: [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(number: UInt64(status))
    bytes.append(number: requestTime.bitPattern)
    bytes.append(number: responseTime.bitPattern)
    bytes.append(number: UInt32(headers.fields.count))
    for field in headers {
      bytes.append(text: field.name)
      bytes.append(text: field.value)
    }
    bytes.append(number: UInt32(selection.count))
    for field in selection {
      bytes.append(text: field.name)
      if let value = field.value { bytes.append(text: value) } else { bytes.append(number: Self.absent) }
    }
    return bytes
  }

  /// Nil if the bytes are not a head.
  init?(encoded bytes: [UInt8]) {
    var reader = HeadReader(bytes)
    guard let status = reader.number(UInt64.self), (100...599).contains(status),
      let sent = reader.number(UInt64.self), let received = reader.number(UInt64.self),
      let count = reader.number(UInt32.self)
    else { return nil }
    var fields: [HTTPHeaders.Field] = []
    for _ in 0..<count {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      fields.append(.init(name: name ?? "", value: value ?? ""))
    }
    guard let selectionCount = reader.number(UInt32.self) else { return nil }
    for _ in 0..<selectionCount {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      selection.append(SelectingField(name: name ?? "", value: value))
    }
    guard reader.isAtEnd else { return nil }
    self.status = Int(status)
    headers = HTTPHeaders(fields)
    requestTime = Double(bitPattern: sent)
    responseTime = Double(bitPattern: received)
    guard requestTime.isFinite, responseTime.isFinite else { return nil }
  }
}

/// Reads what `StoredHead.encoded` wrote.
struct HeadReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = Number.bitWidth / 8
    guard rest.count >= size else { return nil }
    defer { rest = rest.dropFirst(size) }
    return rest.prefix(size).reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  mutating func bytes(_ count: Int) -> [UInt8]? {
    guard rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// Nil at a wrong place; a nil text within it if it was absent.
  mutating func text() -> String?? {
    guard let count = number(UInt32.self) else { return nil }
    if count == .max { return .some(nil) }
    guard rest.count >= Int(count) else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
  }
}

extension [UInt8] {
  mutating func append(number: some FixedWidthInteger) {
    var number = number
    for _ in 0..<(number.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: number))
      number >>= 8
    }
  }

  fileprivate mutating func append(text: String) {
    append(number: UInt32(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}
