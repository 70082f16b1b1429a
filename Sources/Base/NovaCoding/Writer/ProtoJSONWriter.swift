import NovaSupport

/// How a writer forms JSON.
public struct ProtoJSONOptions: Sendable, Hashable {
  /// The style of names. Default `.proto`.
  public var names: JSONNameStyle
  /// Whether fields with the default value are written. Default `true`, as in responses; requests leave them out.
  /// Fields that distinguish absent from default (messages, `optional`) are written if and only if they are present.
  public var includesDefaults: Bool
  /// Whether 64-bit integers are written as strings, as in canonical proto3 JSON. Default `false`.
  public var writesInt64AsString: Bool
  /// Whether times are written as `yyyy-MM-dd HH:mm:ss` in UTC, the form that two known backends use. Default `false`.
  /// Fractions of a second are dropped. Unix seconds outside the years 1 to 9999 are written as numbers.
  public var writesLegacyTimes: Bool

  /// Creates options.
  public init(
    names: JSONNameStyle = .proto, includesDefaults: Bool = true, writesInt64AsString: Bool = false,
    writesLegacyTimes: Bool = false
  ) {
    self.names = names
    self.includesDefaults = includesDefaults
    self.writesInt64AsString = writesInt64AsString
    self.writesLegacyTimes = writesLegacyTimes
  }

  /// The SDK's requests: names of `Proto/`, without defaults.
  public static let request = ProtoJSONOptions(includesDefaults: false)
  /// The gateway's responses: names of `Proto/`, with defaults.
  public static let response = ProtoJSONOptions()
}

/// Writes messages as JSON in UTF-8, without whitespace.
///
/// The output depends only on the message and the options: fields are in order of declaration, map entries in order of
/// their keys. Most callers want ``ProtoMessage/jsonUTF8(_:)``.
public struct ProtoJSONWriter: ~Copyable {
  let options: ProtoJSONOptions
  var bytes = OutputBytes()
  private var descriptor: MessageDescriptor?
  // Unmanaged, because reference counting for every field took a tenth of the time. The descriptor keeps the keys
  // alive.
  private var keys: Unmanaged<FieldKeys>?
  private var needsComma = false
  // The first value that could not be written. Nothing is written after it; each enclosing list, map, and field then
  // adds itself to the error's path.
  @usableFromInline var problem: ProtoJSONError?

  init(options: ProtoJSONOptions) {
    self.options = options
  }

  /// Writes a message as an object.
  mutating func append<M: ProtoMessage>(message: M) {
    let outer = (descriptor, keys)
    let own = M.descriptor
    (descriptor, keys) = (own, .passUnretained(own.keys))
    needsComma = false
    append(byte: UInt8(ascii: "{"))
    message.writeJSONFields(to: &self)
    append(byte: UInt8(ascii: "}"))
    (descriptor, keys) = outer
    needsComma = true
  }

  @usableFromInline
  mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Writes the key of a map's entry, after a comma unless it is the first.
  @usableFromInline
  mutating func append(key: String) {
    if bytes.last != UInt8(ascii: "{") { bytes.append(UInt8(ascii: ",")) }
    append(string: key)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes the key of a field. Returns false, and writes nothing, if the field need not be written.
  @usableFromInline
  mutating func begin(_ index: Int, isDefault: Bool = false) -> Bool {
    if problem != nil || isDefault && !options.includesDefaults { return false }
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    keys?._withUnsafeGuaranteedRef { $0.append(index, options.names, to: &bytes) }
    return true
  }

  /// Prefixes a problem's path with the field that is being written, and with its element or entry.
  @usableFromInline
  mutating func locateProblem(inField index: Int, element: Int? = nil, entry: String? = nil) {
    guard var problem, let field = descriptor?.fields[index] else { return }
    if let element { problem = problem.inside(element: element) }
    if let entry { problem = problem.inside(entry: entry) }
    self.problem = problem.inside(field)
  }
}

extension ProtoJSONWriter: FieldSink {
  public typealias Failure = Never

  @inlinable @inline(never)
  public mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    guard begin(index, isDefault: C.isDefault(value)) else { return }
    C.write(value, to: &self)
    if problem != nil { locateProblem(inField: index) }
  }

  @inlinable @inline(never)
  public mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    guard let value, begin(index) else { return }
    C.write(value, to: &self)
    if problem != nil { locateProblem(inField: index) }
  }

  @inlinable @inline(never)
  public mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    guard begin(index, isDefault: values.isEmpty) else { return }
    append(byte: UInt8(ascii: "["))
    for place in values.indices {
      if place > 0 { append(byte: UInt8(ascii: ",")) }
      C.write(values[place], to: &self)
      if problem != nil { return locateProblem(inField: index, element: place) }
    }
    append(byte: UInt8(ascii: "]"))
  }

  @inlinable @inline(never)
  public mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    guard begin(index, isDefault: map.isEmpty) else { return }
    append(byte: UInt8(ascii: "{"))
    var texts: [String] = []
    for key in map.keys { texts.append(K.text(key)) }
    for text in K.sorted(texts) {
      guard let key = K.parse(text), let value = map[key] else {
        report(K.expected, found: text)
        return locateProblem(inField: index, entry: text)
      }
      append(key: text)
      C.write(value, to: &self)
      if problem != nil { return locateProblem(inField: index, entry: text) }
    }
    append(byte: UInt8(ascii: "}"))
  }
}
