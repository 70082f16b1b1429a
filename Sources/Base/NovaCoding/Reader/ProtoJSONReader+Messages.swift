import NovaLibc
import NovaSupport

extension ProtoJSONReader {
  /// Reads an object into a message, field by field.
  @usableFromInline
  mutating func read<M: ProtoMessage>(into message: inout M) throws(ProtoJSONError) {
    let descriptor = M.descriptor
    guard try open(UInt8(ascii: "{"), expected: "an object") else { return }
    guard descriptor.needsTally else { return try readFields(into: &message, descriptor) }
    let outer = tally
    tally = FieldTally()
    try readFields(into: &message, descriptor)
    tally = outer
  }

  private mutating func readFields<M: ProtoMessage>(
    into message: inout M, _ descriptor: MessageDescriptor
  ) throws(ProtoJSONError) {
    var seen: UInt64 = 0
    var expected = 0
    while true {
      let index = try takeKey(descriptor, expecting: expected, seen: &seen)
      if index < 0 {
        try skipValue()
      } else {
        expected = index + 1
        do throws(ProtoJSONError) {
          // Most fields have a value, and the first byte shows it: only `null` starts with `n`.
          let needsLook = descriptor.needsTally || peek() == UInt8(ascii: "n")
          let isAbsent = needsLook ? try takeAbsence(of: index, descriptor) : false
          if !isAbsent { try message.readJSONField(index, from: &self) }
        } catch {
          throw error.inside(descriptor.fields[index])
        }
      }
      if takeComma() { continue }
      guard try nextField(descriptor, after: index) else {
        hasNoField = expected == 0
        return
      }
    }
  }

  /// Reads `null` if it means that the field is absent. Throws if another field of the same oneof was read before.
  mutating func takeAbsence(of index: Int, _ descriptor: MessageDescriptor) throws(ProtoJSONError) -> Bool {
    let start = position
    if try takeNull() {
      guard descriptor.fields[index].isNullAValue else { return true }
      position = start
    }
    if descriptor.needsTally, !tally.addOneof(of: descriptor.fields[index]) {
      throw ProtoJSONError(
        "only one field of the oneof \(descriptor.fields[index].oneof ?? "")", found: "another", at: position, in: bytes
      )
    }
    return false
  }

  /// Calls ``next(closing:)`` after a field. What follows a secret value may still be part of it (an unescaped quote
  /// ends the string early), so the error hides it too.
  private mutating func nextField(_ descriptor: MessageDescriptor, after index: Int) throws(ProtoJSONError) -> Bool {
    do throws(ProtoJSONError) {
      return try next(closing: UInt8(ascii: "}"))
    } catch {
      guard index >= 0, descriptor.fields[index].isSecret else { throw error }
      throw error.inside(descriptor.fields[index])
    }
  }

  /// Reads a key and its colon. Returns the index of the field, or -1 if the message does not declare it.
  ///
  /// The fast path: the key is that of the field after the last one.
  @inline(__always)
  private mutating func takeKey(
    _ descriptor: MessageDescriptor, expecting expected: Int, seen: inout UInt64
  ) throws(ProtoJSONError) -> Int {
    _ = peek()
    let length = descriptor.keys.length(of: expected, in: bytes, at: position)
    let bit = expected < 64 ? 1 as UInt64 &<< UInt64(expected) : 0
    guard length > 0, bit != 0, seen & bit == 0 else {
      return try takeAnyKey(descriptor, expecting: expected, seen: &seen)
    }
    seen |= bit
    position += length
    return expected
  }

  /// Reads a key that is not the next one in order.
  @inline(never)
  private mutating func takeAnyKey(
    _ descriptor: MessageDescriptor, expecting expected: Int, seen: inout UInt64
  ) throws(ProtoJSONError) -> Int {
    let start = position
    var index = -1
    do throws(ProtoJSONError) {
      index = try descriptor.keys.index(readFrom: &self)
    } catch {
      throw expected > 0 && descriptor.fields[expected - 1].isSecret ? error.hidingValue() : error
    }
    if index < 0, refusesUnknownFields { throw unknownField(descriptor, at: start) }
    if index >= 0 {
      let bit = index < 64 ? 1 as UInt64 &<< UInt64(index) : 0
      if seen & bit != 0 || bit == 0 && !tally.add(index) {
        throw again("the field", at: start).inside(descriptor.fields[index], hidingValue: false)
      }
      seen |= bit
    }
    if peek() == UInt8(ascii: ":") {
      position += 1
      return index
    }
    throw index < 0 ? unexpected("':'") : unexpected("':'").inside(descriptor.fields[index])
  }

  /// Creates the error about an undeclared field, whose name is at `start`.
  @inline(never)
  private func unknownField(_ descriptor: MessageDescriptor, at start: Int) -> ProtoJSONError {
    var reader = ProtoJSONReader(bytes)
    reader.position = start
    let name = (try? reader.string()) ?? ""
    return ProtoJSONError("a field of \(descriptor.shortName)", found: "an unknown field", at: start, in: bytes)
      .naming(UnknownField(name: name, message: descriptor)).inside(member: name)
  }

  /// Reads a `,` at the current position, without whitespace before it, as most programs write it.
  @inline(__always)
  private mutating func takeComma() -> Bool {
    guard position < end, bytes[position] == UInt8(ascii: ",") else { return false }
    position += 1
    return true
  }

  /// Reads `null` if it is next.
  private mutating func takeNull() throws(ProtoJSONError) -> Bool {
    guard peek() == UInt8(ascii: "n") else { return false }
    try takeLiteral("null")
    return true
  }

  /// Skips one value of any kind, checking its syntax.
  private mutating func skipValue() throws(ProtoJSONError) {
    switch peek() {
    case UInt8(ascii: "{"):
      guard try open(UInt8(ascii: "{"), expected: "an object") else { return }
      repeat {
        guard peek() == UInt8(ascii: "\"") else { throw unexpected("a field name in quotes") }
        _ = try scanString()
        try takeColon()
        try skipValue()
      } while try next(closing: UInt8(ascii: "}"))
    case UInt8(ascii: "["):
      guard try open(UInt8(ascii: "["), expected: "a list") else { return }
      repeat { try skipValue() } while try next(closing: UInt8(ascii: "]"))
    case UInt8(ascii: "\""): _ = try scanString()
    case UInt8(ascii: "t"): try takeLiteral("true")
    case UInt8(ascii: "f"): try takeLiteral("false")
    case UInt8(ascii: "n"): try takeLiteral("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try scanNumber()
    default: throw unexpected("a JSON value")
    }
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

  @inlinable @inline(never)
  public mutating func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) throws(ProtoJSONError) {
    guard try open(UInt8(ascii: "["), expected: "a list") else { return }
    values.reserveCapacity(elementsAhead)
    repeat {
      do throws(ProtoJSONError) {
        values.append(try C.read(from: &self))
      } catch {
        throw error.inside(element: values.count)
      }
    } while try next(closing: UInt8(ascii: "]"))
  }

  @inlinable @inline(never)
  public mutating func read<K: ProtoMapKey, C: ProtoCodec>(
    _ map: inout [K.Value: C.Value], keys: K, values: C
  ) throws(ProtoJSONError) {
    guard try open(UInt8(ascii: "{"), expected: "an object") else { return }
    repeat {
      let (text, start) = try key()
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

  /// Creates an error about the map key at `start`.
  @usableFromInline @inline(never)
  func unexpectedKey(_ expected: String, _ text: String, at start: Int) -> ProtoJSONError {
    ProtoJSONError(expected, found: "key \(text.quotedForPeople)", at: start, in: bytes)
  }

  /// Estimates the number of elements in a list of strings or numbers, to reserve capacity once: assumes that all are
  /// as long as the first one, up to 64 elements. Returns 0 for a single element, for other lists, and if the bracket
  /// is far away.
  @usableFromInline
  var elementsAhead: Int {
    guard position < end, bytes[position] != UInt8(ascii: "{") else { return 0 }
    let bracket = distance(to: UInt8(ascii: "]"), within: 4096)
    let comma = distance(to: UInt8(ascii: ","), within: bracket)
    return comma > 0 ? min(bracket / (comma + 1) + 1, 64) : 0
  }

  /// The distance to the next occurrence of a byte; 0 if it is beyond the limit.
  private func distance(to byte: UInt8, within limit: Int) -> Int {
    guard let start = bytes.baseAddress,
      let found = memchr(start + position, Int32(byte), min(end - position, limit))
    else { return 0 }
    return UnsafeRawPointer(start + position).distance(to: found)
  }

  /// Reads the key of an object's member, and returns its start.
  @usableFromInline
  mutating func key() throws(ProtoJSONError) -> (text: String, start: Int) {
    guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key in quotes") }
    let start = position
    return (try string(), start)
  }
}
