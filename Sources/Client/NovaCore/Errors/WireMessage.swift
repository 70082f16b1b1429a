/// The fields of a message in protobuf's binary form, without their types: for failures, whose details must be readable even
/// without the trait `GRPC`, and for messages of other contracts.
package struct WireMessage {
  package enum Value: Hashable {
    case integer(UInt64)
    /// A number of four or eight bytes.
    case fixed
    case bytes(ArraySlice<UInt8>)
  }

  package private(set) var fields: [(number: Int, value: Value)] = []

  private var isWhole = true

  /// Reads a message as far as possible.
  package init(readable bytes: some Collection<UInt8>) {
    var rest = Array(bytes)[...]
    while isWhole, !rest.isEmpty {
      if let field = Self.field(&rest) { fields.append(field) } else { isWhole = false }
    }
  }

  /// - Returns: nil if the bytes are not a message, or have a group.
  package init?(_ bytes: some Collection<UInt8>) {
    self.init(readable: bytes)
    if !isWhole { return nil }
  }

  private static func field(_ rest: inout ArraySlice<UInt8>) -> (number: Int, value: Value)? {
    guard let key = varint(&rest), numbers.contains(key >> 3), let value = value(key & 7, &rest) else { return nil }
    return (Int(key >> 3), value)
  }

  /// The numbers that protobuf has for fields.
  private static let numbers: ClosedRange<UInt64> = 1...536_870_911

  private static func value(_ type: UInt64, _ rest: inout ArraySlice<UInt8>) -> Value? {
    switch type {
    case 0: return varint(&rest).map { .integer($0) }
    case 1, 5:
      let count = type == 1 ? 8 : 4
      guard rest.count >= count else { return nil }
      rest = rest.dropFirst(count)
      return .fixed
    case 2:
      guard let count = varint(&rest), count <= UInt64(rest.count) else { return nil }
      defer { rest = rest.dropFirst(Int(count)) }
      return .bytes(rest.prefix(Int(count)))
    default: return nil
    }
  }

  private static func varint(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 70, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }

  /// The last number of a field.
  package func integer(_ number: Int) -> UInt64? {
    for field in fields.reversed() where field.number == number {
      if case .integer(let value) = field.value { return value }
    }
    return nil
  }

  /// The bytes of all fields with a number.
  package func bytes(_ number: Int) -> [ArraySlice<UInt8>] {
    fields.compactMap { field in
      if field.number == number, case .bytes(let bytes) = field.value { bytes } else { nil }
    }
  }

  /// The last text of a field, with what is not UTF-8 replaced.
  package func text(_ number: Int) -> String? { bytes(number).last.map { String(decoding: $0, as: UTF8.self) } }

  /// The messages of a field, each as far as it can be read.
  package func messages(_ number: Int) -> [WireMessage] { bytes(number).map { WireMessage(readable: $0) } }
}
