import NovaCoding
import NovaSupport

/// Provides random values for every field of a message, by the codec of the field.
struct RandomSource: FieldSource {
  typealias Failure = Never

  var random: SeededGenerator
  /// How many more levels of messages may be nested.
  var depth = 3
  /// Whether enums can have unknown names.
  var hasUnknownNames = true

  mutating func read<C: ProtoCodec>(_ value: inout C.Value, as codec: C) { value = make(C.self) }

  mutating func read<C: ProtoCodec>(_ value: inout C.Value?, as codec: C) {
    value = depth == 0 || random.one(in: 4) ? nil : make(C.self)
  }

  mutating func read<C: ProtoCodec>(_ values: inout [C.Value], as codec: C) {
    values = (0..<count()).map { _ in make(C.self) }
  }

  mutating func read<K: ProtoMapKey, C: ProtoCodec>(
    _ map: inout [K.Value: C.Value], keys: K, values: C
  ) {
    for _ in 0..<count() { map[make(K.self)] = make(C.self) }
  }

  private mutating func count() -> Int { depth == 0 ? 0 : random.int(below: 4) }

  /// A value of a codec; one in eight is the default.
  mutating func make<C: ProtoCodec>(_ codec: C.Type) -> C.Value {
    guard !random.one(in: 8), let codec = C.self as? any RandomCodec.Type else { return C.defaultValue }
    return codec.random(from: &self) as? C.Value ?? C.defaultValue
  }
}

extension ProtoMessage {
  /// A message with random values in every field.
  static func random(from source: inout RandomSource) -> Self {
    var message = Self()
    source.depth -= 1
    let oneofs = Dictionary(grouping: descriptor.fields.indices.filter { descriptor.fields[$0].oneof != nil }) {
      descriptor.fields[$0].oneof ?? ""
    }
    // Only one field of a oneof may be set, because the last one counts.
    var skipped: Set<Int> = []
    for (_, members) in oneofs.sorted(by: { $0.key < $1.key }) {
      let chosen = members[source.random.int(below: members.count)]
      skipped.formUnion(members.filter { $0 != chosen })
    }
    for index in descriptor.fields.indices where !skipped.contains(index) { message.readField(index, from: &source) }
    source.depth += 1
    return message
  }

  /// A message with random values in every field, the same for the same seed.
  static func random(seed: UInt64) -> Self {
    var source = RandomSource(random: SeededGenerator(seed: seed))
    return random(from: &source)
  }
}

/// A codec that can create random values. The tests check that every codec can.
protocol RandomCodec: ProtoCodec {
  static func random(from source: inout RandomSource) -> Value
}

extension StringCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> String { source.random.text() }
}
extension TypedTextCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> T { T(rawValue: source.random.text()) }
}
extension BoolCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> Bool { source.random.one(in: 2) }
}
extension BytesCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> [UInt8] {
    (0..<source.random.int(below: 10)).map { _ in UInt8(truncatingIfNeeded: source.random.next()) }
  }
}
extension Int32Codec: RandomCodec {
  static func random(from source: inout RandomSource) -> Int { Int(source.random.integer(Int32.self)) }
}
extension UInt32Codec: RandomCodec {
  static func random(from source: inout RandomSource) -> Int { Int(source.random.integer(UInt32.self)) }
}
extension Int64Codec: RandomCodec {
  static func random(from source: inout RandomSource) -> Int64 { source.random.integer(Int64.self) }
}
extension UInt64Codec: RandomCodec {
  static func random(from source: inout RandomSource) -> UInt64 { source.random.integer(UInt64.self) }
}
extension UnixSecondsCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> Int64 { source.random.integer(Int64.self) }
}
extension DoubleCodec: RandomCodec {
  // Excludes NaN, which differs from itself, and so would every message that contains it.
  static func random(from source: inout RandomSource) -> Double {
    let value = Double(bitPattern: source.random.next())
    return value.isNaN ? .infinity : value
  }
}
extension FloatCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> Float {
    let value = Float(bitPattern: UInt32(truncatingIfNeeded: source.random.next()))
    return value.isNaN ? -.infinity : value
  }
}
extension TimestampCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> Timestamp {
    let unit = [1, 1000, 1_000_000, 1_000_000_000][source.random.int(below: 4)]
    return Timestamp(
      seconds: Int64.random(in: Timestamp.validSeconds, using: &source.random),
      nanoseconds: Int32(source.random.int(below: 1_000_000_000) / unit * unit))
  }
}
extension EnumCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> E {
    switch source.random.int(below: 4) {
    case 0 where source.hasUnknownNames: E(name: source.random.text())
    case 1: E(rawValue: source.random.integer(Int32.self))
    default: E(rawValue: E.names[source.random.int(below: E.names.count)].number)
    }
  }
}
extension MessageCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> M { .random(from: &source) }
}
extension DerivedCodec where Self: RandomCodec, Base: RandomCodec {
  static func random(from source: inout RandomSource) -> Base.Value { Base.random(from: &source) }
}
extension SInt32Codec: RandomCodec {}
extension SInt64Codec: RandomCodec {}
extension Fixed32Codec: RandomCodec {}
extension Fixed64Codec: RandomCodec {}
extension SFixed32Codec: RandomCodec {}
extension SFixed64Codec: RandomCodec {}
extension WrapperCodec: RandomCodec where Base: RandomCodec {}
