import ConformanceMessages
import NovaCoding
import NovaCore
import NovaLibc

// What Google's conformance runner tests: reads requests from standard input, each with its length in four bytes, and
// writes a response to each, until the input ends. See Tools/check-conformance.

/// Reads exactly `count` bytes; nil at the end of the input.
func readBytes(_ count: Int) -> [UInt8]? {
  var bytes = [UInt8](repeating: 0, count: count)
  var filled = 0
  while filled < count {
    let read = bytes.withUnsafeMutableBytes { NovaLibc.read(0, $0.baseAddress.map { $0 + filled }, count - filled) }
    guard read > 0 else { return nil }
    filled += read
  }
  return bytes
}

func writeBytes(_ bytes: [UInt8]) {
  var written = 0
  while written < bytes.count {
    let count = bytes.withUnsafeBytes { NovaLibc.write(1, $0.baseAddress.map { $0 + written }, bytes.count - written) }
    guard count > 0 else { exit(1) }
    written += count
  }
}

/// Converts a message as the request asks.
func response(to request: ConformanceRequest) -> ConformanceResponse.Result {
  guard request.messageType == TestAllTypesProto3.descriptor.name else { return .skipped("only proto3 is supported") }
  let message: TestAllTypesProto3
  do {
    switch request.payload {
    case .protobufPayload(let bytes):
      message = try TestAllTypesProto3(protobuf: bytes, options: ProtobufOptions(keepsUnknownFields: true))
    case .jsonPayload(let text) where request.testCategory == .jsonIgnoreUnknownParsingTest:
      message = try TestAllTypesProto3(jsonUTF8: Array(text.utf8))
    case .jsonPayload(let text):
      message = try TestAllTypesProto3(refusingUnknownFieldsIn: Array(text.utf8))
    case .jspbPayload, .textPayload: return .skipped("the format is not supported")
    case nil: return .runtimeError("the request has no payload")
    }
  } catch {
    return .parseError("\(error)")
  }
  do {
    switch request.requestedOutputFormat {
    case .protobuf: return .protobufPayload(try message.protobuf())
    case .json:
      let options = ProtoJSONOptions(names: .lowerCamelCase, includesDefaults: false, writesInt64AsString: true)
      return .jsonPayload(String(decoding: try message.jsonUTF8(options), as: UTF8.self))
    default: return .skipped("the format is not supported")
    }
  } catch {
    return .serializeError("\(error)")
  }
}

ProtoAny.register(Proto3Messages.all)
while let length = readBytes(4) {
  let count = length.reversed().reduce(0) { $0 << 8 | Int($1) }
  guard let bytes = readBytes(count) else { exit(1) }
  var answer = ConformanceResponse()
  do { answer.result = response(to: try ConformanceRequest(protobuf: bytes)) } catch {
    answer.result = .runtimeError("\(error)")
  }
  let output = try answer.protobuf()
  writeBytes((0..<4).map { UInt8(truncatingIfNeeded: output.count >> (8 * $0)) } + output)
}
