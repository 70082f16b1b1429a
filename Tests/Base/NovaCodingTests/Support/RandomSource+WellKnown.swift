import NovaCoding
import NovaSupport

// Random values of the well-known types.

extension DurationCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> Duration {
    let unit = [1, 1000, 1_000_000, 1_000_000_000][source.random.int(below: 4)]
    let seconds = Int64(source.random.int(below: 2)) * Int64(source.random.int(below: 315_576_000_000))
    let nanoseconds = Int64(source.random.int(below: 1_000_000_000) / unit * unit)
    let sign: Int64 = source.random.one(in: 3) ? -1 : 1
    return Duration(secondsComponent: sign * seconds, attosecondsComponent: sign * nanoseconds * 1_000_000_000)
  }
}
extension FieldMaskCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> FieldMask {
    let names = ["id", "display_name", "address.postal_code", "a.b_c.d"]
    return FieldMask((0..<source.random.int(below: 4)).map { _ in names[source.random.int(below: names.count)] })
  }
}
extension ValueCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> JSONValue {
    switch source.random.int(below: source.depth > 0 ? 6 : 4) {
    case 0: .null
    case 1: .bool(source.random.one(in: 2))
    case 2: .number(String(source.random.integer(Int32.self)))
    case 3: .string(source.random.text())
    case 4: .array(ListValueCodec.random(from: &source))
    default: JSONValue(StructCodec.random(from: &source))
    }
  }
}
extension ListValueCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> [JSONValue] {
    source.depth -= 1
    defer { source.depth += 1 }
    return (0..<source.random.int(below: 4)).map { _ in ValueCodec.random(from: &source) }
  }
}
extension StructCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> [String: JSONValue] {
    source.depth -= 1
    defer { source.depth += 1 }
    var object: [String: JSONValue] = [:]
    for _ in 0..<source.random.int(below: 4) { object[source.random.text()] = ValueCodec.random(from: &source) }
    return object
  }
}
extension NullCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> ProtoNull { ProtoNull() }
}
extension AnyCodec: RandomCodec {
  static func random(from source: inout RandomSource) -> ProtoAny {
    let type = JSONValue.string("type.googleapis.com/nova.testing.v1.Leaf")
    // Not 0, which some writers omit.
    let weight = JSONValue.number(String(source.random.integer(Int32.self) | 1))
    return ProtoAny(json: JSONValue(["@type": type, "weight": weight])) ?? ProtoAny()
  }
}
