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

  /// The redirects that led to it.
  var redirects: [StoredRedirect] = []
  /// Stands for the URL to which they led, which may contain secrets; nil without redirects, or without libcrypto.
  var target: String?

  /// The head of a response.
  init(_ response: HTTPResponse, requestTime: Double, responseTime: Double) {
    status = response.status
    headers = HeaderRules.stored(response.headers)
    if let last = response.redirects.last {
      redirects = response.redirects.map { StoredRedirect(status: $0.status, headers: $0.headers) }
      target = try? last.target?.filePrefix
    }
    self.requestTime = requestTime
    self.responseTime = responseTime
  }

  /// Whether the response, or a redirect to it, must be validated before each use.
  var requiresValidation: Bool {
    CacheControl(headers).requiresValidation || redirects.contains(where: \.requiresValidation)
  }

  /// Whether it can be told that a later response is that of the same URL.
  var isRecognizable: Bool { redirects.isEmpty || target != nil }

  /// Whether redirects, or their absence, have led a later response to the same URL.
  func isOfSameURL(as later: StoredHead) -> Bool { later.isRecognizable && target == later.target }

  /// The head after the server has confirmed it with a 304 or a HEAD response.
  func confirmed(by later: StoredHead) -> StoredHead {
    var head = self
    head.headers = HeaderRules.updated(headers, from: later.headers)
    // The age of the response that was confirmed does not count anymore.
    if later.headers["Age"] == nil { head.headers["Age"] = nil }
    if later.headers["Date"] == nil { head.headers["Date"] = nil }
    // What the redirects allow now.
    head.redirects = later.redirects
    head.requestTime = later.requestTime
    head.responseTime = later.responseTime
    return head
  }

  /// The memory that it takes, approximately.
  var byteCount: Int {
    headers.reduce(256) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
      + redirects.reduce(0) { $0 + $1.byteCount }
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
    bytes.append(fields: headers)
    bytes.append(number: UInt32(selection.count))
    for field in selection {
      bytes.append(text: field.name)
      if let value = field.value { bytes.append(text: value) } else { bytes.append(number: Self.absent) }
    }
    bytes.append(number: UInt32(redirects.count))
    for redirect in redirects {
      bytes.append(number: UInt32(redirect.status))
      bytes.append(fields: redirect.headers)
    }
    if let target { bytes.append(text: target) } else { bytes.append(number: Self.absent) }
    return bytes
  }

  /// Nil if the bytes are not a head.
  init?(encoded bytes: [UInt8]) {
    var reader = HeadReader(bytes)
    guard let status = reader.number(UInt64.self), (100...599).contains(status),
      let sent = reader.number(UInt64.self), let received = reader.number(UInt64.self),
      let headers = reader.fields()
    else { return nil }
    guard let selectionCount = reader.number(UInt32.self) else { return nil }
    for _ in 0..<selectionCount {
      guard let name = reader.text(), let value = reader.text() else { return nil }
      selection.append(SelectingField(name: name ?? "", value: value))
    }
    guard let redirectCount = reader.number(UInt32.self) else { return nil }
    for _ in 0..<redirectCount {
      guard let status = reader.number(UInt32.self), (300..<400).contains(status), let headers = reader.fields() else {
        return nil
      }
      redirects.append(StoredRedirect(status: Int(status), headers: headers))
    }
    guard let target = reader.text(), reader.isAtEnd else { return nil }
    self.target = target
    self.status = Int(status)
    self.headers = headers
    requestTime = Double(bitPattern: sent)
    responseTime = Double(bitPattern: received)
    guard requestTime.isFinite, responseTime.isFinite else { return nil }
  }
}

extension HTTPResponse {
  /// The response of a stored head, without its body. Another cache that it passes finds its redirects, and stores it for
  /// nobody, because it cannot tell where they led.
  init(_ head: StoredHead) {
    self.init(status: head.status, headers: head.headers)
    redirects = head.redirects.map { HTTPRedirect(status: $0.status, headers: $0.headers, target: nil) }
  }
}

/// A redirect that led to a stored response.
struct StoredRedirect: Sendable, Hashable {
  let status: Int
  /// The fields that concern caches.
  let headers: HTTPHeaders

  /// Whether the server must be asked each time where it leads: it says so, or it does not say for how long it is valid
  /// and the status does not either (RFC 9110, 15.4).
  var requiresValidation: Bool {
    let control = CacheControl(headers)
    if control.requiresValidation || !control.fieldsRequiringValidation.isEmpty { return true }
    return !control.contains("max-age") && headers["Expires"] == nil && !StatusRule.isHeuristicallyCacheable(status)
  }

  /// The memory that it takes, approximately.
  fileprivate var byteCount: Int { headers.reduce(64) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 } }
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

  /// Header fields with their count; nil at a wrong place.
  mutating func fields() -> HTTPHeaders? {
    guard let count = number(UInt32.self) else { return nil }
    var fields: [HTTPHeaders.Field] = []
    for _ in 0..<count {
      guard let name = text(), let value = text() else { return nil }
      fields.append(.init(name: name ?? "", value: value ?? ""))
    }
    return HTTPHeaders(fields)
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

  fileprivate mutating func append(fields: HTTPHeaders) {
    append(number: UInt32(fields.fields.count))
    for field in fields {
      append(text: field.name)
      append(text: field.value)
    }
  }

  fileprivate mutating func append(text: String) {
    append(number: UInt32(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}
