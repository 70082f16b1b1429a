import SwiftProtobuf
import SwiftProtobufPluginLibrary

/// The option `google.api.http` of an RPC, read from the bytes of its options: extension 72295728 of `MethodOptions`.
enum HTTPAnnotation {
  struct Problem: Error {
    var reason: String
  }

  /// The binding; nil without the option. Of several bindings, the first counts: a client needs one.
  static func binding(of method: MethodDescriptor) throws(Problem) -> GatewayConfig.Binding? {
    let options = ProtoFields(bytes: Array(method.options.unknownFields.data))
    // With `option (google.api.http).body = "*"`, each such line is a record; together they are the message.
    let records = options.all.filter { $0.number == 72_295_728 }
    guard !records.isEmpty else { return nil }
    var binding = GatewayConfig.Binding(method: "", path: "", body: nil, responseBody: nil, file: method.file.name)
    for field in ProtoFields(bytes: records.flatMap(\.bytes)).all {
      let text = String(decoding: field.bytes, as: UTF8.self)
      switch field.number {
      case 2: (binding.method, binding.path) = ("get", text)
      case 3: (binding.method, binding.path) = ("put", text)
      case 4: (binding.method, binding.path) = ("post", text)
      case 5: (binding.method, binding.path) = ("delete", text)
      case 6: (binding.method, binding.path) = ("patch", text)
      case 7: binding.body = text.isEmpty ? nil : text
      case 8: throw Problem(reason: "is bound to a custom HTTP method; supported are get, put, post, delete and patch")
      case 12: binding.responseBody = text.isEmpty ? nil : text
      default: break
      }
    }
    guard !binding.method.isEmpty else { throw Problem(reason: "has an option google.api.http without a path") }
    return binding
  }
}

/// The length-delimited fields of a message in protobuf's binary format; others are skipped.
private struct ProtoFields {
  var all: [(number: Int, bytes: [UInt8])] = []

  init(bytes: [UInt8]) {
    var rest = bytes[...]
    while let tag = Self.varint(&rest) {
      switch tag & 7 {
      case 0: _ = Self.varint(&rest)
      case 1: rest = rest.dropFirst(8)
      case 5: rest = rest.dropFirst(4)
      case 2:
        guard let count = Self.varint(&rest), count <= rest.count else { return }
        all.append((Int(tag >> 3), Array(rest.prefix(Int(count)))))
        rest = rest.dropFirst(Int(count))
      default: return
      }
    }
  }

  private static func varint(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: 0, to: 64, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      value |= UInt64(byte & 0x7F) << UInt64(shift)
      if byte < 0x80 { return value }
    }
    return nil
  }
}
