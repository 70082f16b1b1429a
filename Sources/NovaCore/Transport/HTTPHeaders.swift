/// HTTP header fields: ordered, with names compared regardless of case.
///
/// ```swift
/// var headers: HTTPHeaders = ["Accept": "application/json"]
/// headers["accept"]  // "application/json"
/// ```
public struct HTTPHeaders: Sendable, Hashable {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name as given.
    public var name: String
    /// The value, without surrounding white space.
    public var value: String

    /// Creates a field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in order.
  public private(set) var fields: [Field]

  /// Creates headers from fields.
  public init(_ fields: [Field] = []) { self.fields = fields }

  /// The first value under `name`; setting replaces every value under that name, and `nil` removes them.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value }
    set {
      let first = fields.firstIndex { $0.name.equalsIgnoringASCIICase(name) }
      if first != nil { fields.removeAll { $0.name.equalsIgnoringASCIICase(name) } }
      guard let newValue else { return }
      fields.insert(Field(name: name, value: newValue), at: first ?? fields.count)
    }
  }

  /// Every value under `name`, in order.
  public func values(for name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }

  /// Adds a field behind those that are there, keeping any of the same name.
  public mutating func append(name: String, value: String) {
    fields.append(Field(name: name, value: value))
  }
}

/// Fields that carry secrets do not show them: requests are printed where somebody looks for a fault.
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

extension String {
  /// Whether both are the same but for the case of ASCII letters.
  package func equalsIgnoringASCIICase(_ other: String) -> Bool {
    utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
  }
}

extension UInt8 {
  package var asciiLowercased: UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self }
}
