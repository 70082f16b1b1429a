@testable import NovaCoding
@testable import NovaCore

/// What is accepted is written and read back the same; what is refused is refused at a place inside the input.
enum JSONTarget {
  static func check(_ bytes: [UInt8]) {
    guard let value = read(bytes, { input throws(ProtoJSONError) in try JSONValue(jsonUTF8: input) }) else { return }
    let written = value.jsonUTF8
    let again = mustSucceed("written JSON is refused") { try JSONValue(jsonUTF8: written) }
    require(again == value, "reading what was written gives another value")
    require(again.jsonUTF8 == written, "writing it again gives other bytes")
    let lenient = mustSucceed("strict JSON is refused where names may repeat") {
      try JSONValue(keepingRepeatedNames: bytes)
    }
    require(lenient == value, "both readers accept it and differ")
  }

  /// The result of reading; nil where it is refused, which must be with a place that exists.
  static func read<Value>(
    _ bytes: [UInt8], _ body: ([UInt8]) throws(ProtoJSONError) -> Value
  ) -> Value? {
    do throws(ProtoJSONError) { return try body(bytes) } catch {
      let lines = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 1
      require((0...bytes.count).contains(error.offset), "offset \(error.offset) of \(bytes.count): \(error)")
      require((1...lines).contains(error.line), "line \(error.line) of \(lines): \(error)")
      require((1...(bytes.count + 1)).contains(error.column), "column \(error.column): \(error)")
      require(error.description.isPrintable, "the error has control characters: \(error.description.debugDescription)")
      return nil
    }
  }
}
