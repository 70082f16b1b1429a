extension ProtoJSONReader {
  /// Reads an object into `message`, field by field.
  @inlinable
  mutating func readFields<M: ProtoMessage>(into message: inout M) throws(ProtoJSONError) {
    let descriptor = M.descriptor
    guard try open(UInt8(ascii: "{"), expected: "an object") else { return }
    var seen: UInt64 = 0
    var expected = 0
    var last = -1
    repeat {
      last = try takeKey(descriptor, expecting: expected, seen: &seen)
      guard last >= 0 else {
        try skipValue()
        continue
      }
      expected = last + 1
      do throws(ProtoJSONError) {
        if try !takeNull() { try message.readField(last, from: &self) }
      } catch {
        throw error.inside(descriptor.fields[last])
      }
    } while try nextField(descriptor, behind: last)
  }

  /// ``next(closing:)`` in a message. What stands behind a secret value may well be the rest of it (a quote that was not
  /// escaped), so it is hidden too.
  @usableFromInline
  mutating func nextField(_ descriptor: MessageDescriptor, behind index: Int) throws(ProtoJSONError) -> Bool {
    do throws(ProtoJSONError) {
      return try next(closing: UInt8(ascii: "}"))
    } catch {
      guard index >= 0, descriptor.fields[index].isSecret else { throw error }
      throw error.inside(descriptor.fields[index])
    }
  }

  /// Takes a key and its colon. Returns the index of the field, or -1 for one the message does not know.
  @usableFromInline
  mutating func takeKey(
    _ descriptor: MessageDescriptor, expecting expected: Int, seen: inout UInt64
  ) throws(ProtoJSONError) -> Int {
    _ = peek()
    let start = position
    let index: Int
    do throws(ProtoJSONError) {
      index = try keyIndex(descriptor, expecting: expected)
    } catch {
      throw expected > 0 && descriptor.fields[expected - 1].isSecret ? error.hidingValue() : error
    }
    if index >= 0 {
      let bit = 1 as UInt64 &<< UInt64(index)
      if seen & bit != 0 { throw again("the field", at: start).inside(descriptor.fields[index], hidingValue: false) }
      seen |= bit
    }
    if peek() == UInt8(ascii: ":") {
      position += 1
      return index
    }
    throw index < 0 ? unexpected("':'") : unexpected("':'").inside(descriptor.fields[index])
  }

  private mutating func keyIndex(
    _ descriptor: MessageDescriptor, expecting expected: Int
  ) throws(ProtoJSONError) -> Int {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a field name in quotes") }
    let start = position + 1
    let scan = try scanString()
    if scan.hasEscapes {
      let key = Array(unescaped(from: start, to: position - 1).utf8)
      return key.withUnsafeBufferPointer { descriptor.keys.index(of: $0, expecting: expected) }
    }
    let key = UnsafeBufferPointer(start: base + start, count: position - 1 - start)
    return descriptor.keys.index(of: key, expecting: expected)
  }
}

extension ProtoJSONReader: FieldSource {
  public typealias Failure = ProtoJSONError

  @inlinable
  public mutating func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) throws(ProtoJSONError) {
    value = try C.read(from: &self)
  }

  @inlinable
  public mutating func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) throws(ProtoJSONError) {
    value = try C.read(from: &self)
  }

  @inlinable
  public mutating func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) throws(ProtoJSONError) {
    guard try open(UInt8(ascii: "["), expected: "a list") else { return }
    repeat {
      do throws(ProtoJSONError) {
        values.append(try C.read(from: &self))
      } catch {
        throw error.inside(element: values.count)
      }
    } while try next(closing: UInt8(ascii: "]"))
  }

  @inlinable
  public mutating func read<K: ProtoMapKey, C: ProtoCodec>(
    _ map: inout [K.Value: C.Value], keys: K, values: C
  ) throws(ProtoJSONError) {
    guard try open(UInt8(ascii: "{"), expected: "an object") else { return }
    repeat {
      _ = peek()
      let start = position
      let text = try mapKey()
      do throws(ProtoJSONError) {
        guard let key = K.parse(text) else { throw unexpectedKey(K.expected, text, at: start) }
        try takeColon()
        guard map.updateValue(try C.read(from: &self), forKey: key) == nil else {
          throw again("the key", at: start)
        }
      } catch {
        throw error.inside(entry: text)
      }
    } while try next(closing: UInt8(ascii: "}"))
  }

  @usableFromInline
  mutating func mapKey() throws(ProtoJSONError) -> String {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
    return try string()
  }
}

extension ProtoMessage {
  /// Reads a message from JSON in UTF-8.
  ///
  /// - Throws: ``ProtoJSONError`` for anything that is not JSON or does not fit the contract.
  @inlinable
  public init(jsonUTF8 bytes: UnsafeBufferPointer<UInt8>) throws(ProtoJSONError) {
    self = try ProtoJSONReader.read(bytes) { reader throws(ProtoJSONError) in try Self.read(from: &reader) }
  }

  /// Reads a message from JSON in UTF-8.
  ///
  /// ```swift
  /// let page = try GetFollowersResponse(jsonUTF8: Array(#"{"user_ids":["a"],"total_count":1}"#.utf8))
  /// ```
  /// - Throws: ``ProtoJSONError`` for anything that is not JSON or does not fit the contract.
  @inlinable
  public init(jsonUTF8 bytes: [UInt8]) throws(ProtoJSONError) {
    self = try bytes.withUnsafeBufferPointer { buffer throws(ProtoJSONError) in try Self(jsonUTF8: buffer) }
  }

  /// Reads a message from the JSON of just one of its fields, as `response_body` in `gateway.yaml` says.
  package init(jsonUTF8 bytes: [UInt8], ofField index: Int) throws(ProtoJSONError) {
    var message = Self()
    try bytes.withUnsafeBufferPointer { buffer throws(ProtoJSONError) in
      try ProtoJSONReader.read(buffer) { reader throws(ProtoJSONError) in
        if try !reader.takeNull() { try message.readField(index, from: &reader) }
      }
    }
    self = message
  }
}
