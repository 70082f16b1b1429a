import NovaCore

/// A stored response without its body.
struct StoredHead: Sendable, Hashable {
  var status: Int
  /// The response fields that may be stored.
  var headers: HTTPHeaders
  /// When the request was sent and the response arrived, in seconds since 1970.
  var requestTime: Double
  var responseTime: Double
  /// The request fields that selected the response.
  var selection: [SelectingField] = []

  /// The redirects that led to it.
  var redirects: [StoredRedirect] = []
  /// Represents the final URL after redirects, which may contain secrets; nil without redirects, or without libcrypto.
  var target: String?

  /// Creates the head of a response.
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

  /// Whether it is possible to detect that a later response is from the same URL.
  var isRecognizable: Bool { redirects.isEmpty || target != nil }

  /// Whether a later response came from the same final URL, with or without redirects.
  func isOfSameURL(as later: StoredHead) -> Bool { later.isRecognizable && target == later.target }

  /// The head after the server confirmed it with a 304 or a HEAD response.
  func confirmed(by later: StoredHead) -> StoredHead {
    var head = self
    head.headers = HeaderRules.updated(headers, from: later.headers)
    // The age of the confirmed response no longer counts.
    if later.headers["Age"] == nil { head.headers["Age"] = nil }
    if later.headers["Date"] == nil { head.headers["Date"] = nil }
    // Keeps what the redirects currently allow.
    head.redirects = later.redirects
    head.requestTime = later.requestTime
    head.responseTime = later.responseTime
    return head
  }

  /// The approximate size in memory.
  var byteCount: Int {
    headers.reduce(256) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 }
      + redirects.reduce(0) { $0 + $1.byteCount }
      + selection.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.utf8.count ?? 0) + 64 }
  }
}

// MARK: On disk

extension StoredHead {
  private static let absent = UInt32.max

  /// The encoded head: numbers in little-endian order, strings with their lengths.
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

  /// Decodes a head; nil if the bytes are invalid.
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
  /// Creates the response of a stored head, without its body. A second cache that it passes through sees its redirects
  /// and does not store it, because it cannot determine where they led.
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

  /// Whether the server must always be asked where the redirect leads: the redirect requires it, or neither its fields
  /// nor its status allow reuse (RFC 9110, 15.4).
  var requiresValidation: Bool {
    let control = CacheControl(headers)
    if control.requiresValidation || !control.fieldsRequiringValidation.isEmpty { return true }
    return !control.contains("max-age") && headers["Expires"] == nil && !StatusRule.isHeuristicallyCacheable(status)
  }

  /// The approximate size in memory.
  fileprivate var byteCount: Int { headers.reduce(64) { $0 + $1.name.utf8.count + $1.value.utf8.count + 64 } }
}

/// Decodes the result of `StoredHead.encoded`.
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

  /// Header fields, preceded by their count; nil at an invalid position.
  mutating func fields() -> HTTPHeaders? {
    guard let count = number(UInt32.self) else { return nil }
    var fields: [HTTPHeaders.Field] = []
    for _ in 0..<count {
      guard let name = text(), let value = text() else { return nil }
      fields.append(.init(name: name ?? "", value: value ?? ""))
    }
    return HTTPHeaders(fields)
  }

  /// A string; nil at an invalid position. The inner optional is nil if the string was absent.
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
