import NovaSupport

/// HTTP header fields in order, with case-insensitive names.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"]  // "application/json"
/// ```
public struct HTTPHeaders: Sendable, Hashable {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name in its original case.
    public var name: String
    /// The value, without surrounding whitespace.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in order.
  public private(set) var fields: [Field]
  /// The number of fields, from the first on, that are known to be valid and need no further check.
  private var checkedCount = 0

  /// Creates headers from fields.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// The first value of `name`. Setting it replaces all values of that name; setting `nil` removes them.
  public subscript(name: String) -> String? {
    get { place(of: name).map { fields[$0].value } }
    set {
      var new = newValue.map { Field(name: name, value: $0) }
      if place(of: name) != nil {
        let old = fields
        (fields, checkedCount) = ([], 0)
        for field in old {
          let isOther = !field.name.equalsIgnoringASCIICase(name)
          if let next = isOther ? field : new { fields.append(next) }
          if !isOther { new = nil }
        }
      }
      if let new { fields.append(new) }
    }
  }

  /// The index of the first field with this name. Compares the length first, because most names differ in it.
  private func place(of name: String) -> Int? {
    let length = name.utf8.count
    for index in fields.indices
    where fields[index].name.utf8.count == length && fields[index].name.equalsIgnoringASCIICase(name) {
      return index
    }
    return nil
  }

  /// Reserves capacity for a number of fields.
  package mutating func reserveCapacity(_ count: Int) { fields.reserveCapacity(count) }

  /// All values of `name`, in order.
  public func values(for name: String) -> [String] {
    var values: [String] = []
    for field in fields where field.name.equalsIgnoringASCIICase(name) { values.append(field.value) }
    return values
  }

  /// The value of `name`, if all fields with this name agree; nil if absent, or if they differ: a server that
  /// contradicts itself has proved nothing.
  package func agreed(_ name: String) -> String? {
    guard let first = self[name] else { return nil }
    return fields.allSatisfy { !$0.name.equalsIgnoringASCIICase(name) || $0.value == first } ? first : nil
  }

  /// Appends a field, and keeps existing ones of the same name.
  public mutating func append(name: String, value: String) {
    fields.append(Field(name: name, value: value))
  }
}

extension HTTPHeaders {
  public static func == (left: HTTPHeaders, right: HTTPHeaders) -> Bool { left.fields == right.fields }

  public func hash(into hasher: inout Hasher) { hasher.combine(fields) }

  /// Whether all fields are known to be valid.
  package var isChecked: Bool { checkedCount == fields.count }

  /// Checks for invalid fields, and remembers which fields are valid.
  ///
  /// - Returns: the problem of a field, without its value; nil if all are valid.
  package mutating func check() -> String? {
    while checkedCount < fields.count {
      if let problem = fields[checkedCount].problem { return problem }
      checkedCount += 1
    }
    return nil
  }

  /// Sets a field whose name and value are known to be valid, because the SDK created or already checked them.
  package mutating func set(_ name: String, toChecked value: String) {
    let wereChecked = isChecked
    if place(of: name) == nil { fields.append(Field(name: name, value: value)) } else { self[name] = value }
    if wereChecked { checkedCount = fields.count }
  }
}

/// Hides the values of secret fields, because requests are printed for debugging.
extension HTTPHeaders.Field: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  private static let secretNames = ["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"]

  private var shownValue: String {
    Self.secretNames.contains(where: name.equalsIgnoringASCIICase) ? SecretText.mask : value
  }

  public var description: String { "\(name): \(shownValue)" }
  public var debugDescription: String { description }
  public var customMirror: Mirror {
    Mirror(self, children: ["name": name, "value": shownValue], displayStyle: .struct)
  }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) {
    self.init(elements.map { Field(name: $0.0, value: $0.1) })
  }
}

extension HTTPHeaders: Sequence {
  public func makeIterator() -> IndexingIterator<[Field]> { fields.makeIterator() }
}

extension HTTPHeaders.Field {
  /// The reason why the field must not be sent, without its value; nil if it is valid. A line break in a value would
  /// let an attacker add a field or a request.
  package var problem: String? {
    guard name.isHTTPToken else { return "a header's name is empty or has a forbidden character" }
    guard value.hasOnlyFieldBytes else {
      return "the value of the header \(name) has a line break or another control character"
    }
    return nil
  }
}

extension String {
  /// Whether the only control characters are tabs.
  fileprivate var hasOnlyFieldBytes: Bool {
    readUTF8 { bytes in
      Self.arePrintable(bytes) || bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
    }
  }

  /// Whether all bytes are ASCII without control characters, as in nearly every value. Checks many bytes at a time,
  /// because every value of every request comes here, including long tokens. Non-ASCII bytes are negative as signed
  /// numbers.
  @inline(never)
  private static func arePrintable(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var others: UInt8 = 0
    for byte in bytes { others |= Int8(bitPattern: byte) < 0x20 || byte == 0x7f ? 1 : 0 }
    return others == 0
  }

  /// Whether it is a token of RFC 9110, like a method or a header name.
  var isHTTPToken: Bool { !isEmpty && consists(of: .httpToken) }
}

extension ASCIISet {
  fileprivate static let httpToken = alphanumerics + ASCIISet("!#$%&'*+-.^_`|~")
}
