/// How a writer forms JSON.
public struct ProtoJSONOptions: Sendable, Hashable {
  /// The style of names. Default `.proto`.
  public var names: JSONNameStyle
  /// Whether fields at their default are written. Default `true`, as responses are; requests leave them out. Fields
  /// that tell absent from default (messages, `optional`) are written exactly when they are present.
  public var includesDefaults: Bool
  /// Whether 64-bit integers are strings, as canonical proto3 JSON has them. Default `false`.
  public var writesInt64AsString: Bool
  /// Whether times are `yyyy-MM-dd HH:mm:ss` in UTC, as two backends are known to send them. Default `false`. Fractions
  /// of a second are left out; Unix seconds outside years 1 to 9999 stay numbers.
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

  /// What the SDK sends: names of `Proto/`, defaults left out.
  public static let request = ProtoJSONOptions(includesDefaults: false)
  /// What the gateway answers: names of `Proto/`, defaults included.
  public static let response = ProtoJSONOptions()
}

/// Writes messages as JSON in UTF-8, without white space.
///
/// Output depends only on the message and the options: fields stand in order of declaration, maps in order of keys.
/// Most callers want ``ProtoMessage/jsonUTF8(_:)``.
public struct ProtoJSONWriter: ~Copyable {
  @usableFromInline let options: ProtoJSONOptions
  @usableFromInline var bytes: [UInt8] = []
  @usableFromInline var descriptor: MessageDescriptor?
  @usableFromInline var needsComma = false
  // The first value that could not be written; nothing is written after it, and on the way out each list, map and
  // field adds itself to its path.
  @usableFromInline var problem: ProtoJSONError?

  @usableFromInline
  init(options: ProtoJSONOptions) {
    self.options = options
    bytes.reserveCapacity(256)
  }

  /// A writer that goes on behind `bytes`, which it takes; ``give(back:)`` returns them.
  init(options: ProtoJSONOptions, behind bytes: inout [UInt8]) {
    self.options = options
    swap(&self.bytes, &bytes)
  }

  /// The opposite of taking.
  consuming func give(back bytes: inout [UInt8]) -> ProtoJSONError? {
    swap(&self.bytes, &bytes)
    return problem
  }

  /// The JSON, unless a value could not be written.
  @usableFromInline
  consuming func finish() throws(ProtoJSONError) -> [UInt8] {
    if let problem { throw problem }
    return bytes
  }

  @inlinable
  mutating func writeObject<M: ProtoMessage>(_ message: M) {
    let outer = descriptor
    descriptor = M.descriptor
    needsComma = false
    bytes.append(UInt8(ascii: "{"))
    message.writeFields(to: &self)
    bytes.append(UInt8(ascii: "}"))
    descriptor = outer
    needsComma = true
  }

  /// Puts the problem inside the field that is being written.
  @usableFromInline @inline(never)
  mutating func locateProblem(inField index: Int, _ place: (ProtoJSONError) -> ProtoJSONError = { $0 }) {
    guard let problem, let field = descriptor?.fields[index] else { return }
    self.problem = place(problem).inside(field)
  }

  @usableFromInline
  mutating func writeKey(_ index: Int) {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    needsComma = true
    descriptor?.keys.append(index, options.names, to: &bytes)
  }
}

extension ProtoJSONWriter: FieldSink {
  public typealias Failure = Never

  @inlinable
  public mutating func write<C: ProtoCodec>(_ value: C.Value, as codec: C, at index: Int) {
    if !options.includesDefaults, C.isDefault(value) { return }
    if problem != nil { return }
    writeKey(index)
    C.write(value, to: &self)
    if problem != nil { locateProblem(inField: index) }
  }

  @inlinable
  public mutating func write<C: ProtoCodec>(_ value: C.Value?, as codec: C, at index: Int) {
    guard let value, problem == nil else { return }
    writeKey(index)
    C.write(value, to: &self)
    if problem != nil { locateProblem(inField: index) }
  }

  @inlinable
  public mutating func write<C: ProtoCodec>(_ values: [C.Value], as codec: C, at index: Int) {
    if !options.includesDefaults, values.isEmpty { return }
    if problem != nil { return }
    writeKey(index)
    bytes.append(UInt8(ascii: "["))
    for place in values.indices {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      C.write(values[place], to: &self)
      if problem != nil { return locateProblem(inField: index) { $0.inside(element: place) } }
    }
    bytes.append(UInt8(ascii: "]"))
  }

  @inlinable
  public mutating func write<K: ProtoMapKey, C: ProtoCodec>(
    _ map: [K.Value: C.Value], keys: K, values: C, at index: Int
  ) {
    if !options.includesDefaults, map.isEmpty { return }
    if problem != nil { return }
    writeKey(index)
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for (key, value) in map.sorted(by: { $0.key < $1.key }) {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      append(string: K.text(key))
      bytes.append(UInt8(ascii: ":"))
      C.write(value, to: &self)
      if problem != nil { return locateProblem(inField: index) { $0.inside(entry: K.text(key)) } }
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension ProtoMessage {
  /// The message as JSON in UTF-8.
  ///
  /// - Throws: ``ProtoJSONError`` for a value that the contract's type cannot hold, for example a `limit` above 32 bits.
  @inlinable
  public func jsonUTF8(_ options: ProtoJSONOptions = .response) throws(ProtoJSONError) -> [UInt8] {
    var writer = ProtoJSONWriter(options: options)
    write(to: &writer)
    return try writer.finish()
  }
  /// Appends the message as JSON in UTF-8, and nothing where that fails: for many messages in one buffer.
  ///
  /// - Throws: ``ProtoJSONError`` as ``jsonUTF8(_:)`` does.
  package func appendJSON(_ options: ProtoJSONOptions, to bytes: inout [UInt8]) throws(ProtoJSONError) {
    let start = bytes.count
    var writer = ProtoJSONWriter(options: options, behind: &bytes)
    write(to: &writer)
    if let problem = writer.give(back: &bytes) {
      bytes.removeLast(bytes.count - start)
      throw problem
    }
  }
}
