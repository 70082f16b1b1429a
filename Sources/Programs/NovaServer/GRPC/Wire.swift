#if Server
  import NovaCore

  // The few messages of gRPC's own services. Default values are left out.
  extension WireOutput {
    mutating func integer(_ number: Int, _ value: UInt64) {
      guard value != 0 else { return }
      append(tag: number, .varint)
      append(varint: value)
    }

    mutating func text(_ number: Int, _ value: String) {
      if !value.isEmpty { append(number, bytes: Array(value.utf8)) }
    }

    mutating func message(_ number: Int, _ value: WireOutput) { append(number, bytes: value.bytes) }
  }

  extension WireMessage {
    /// The text of a field, or an empty one; nil if it is not UTF-8.
    func validText(_ number: Int) -> String? {
      guard let last = bytes(number).last else { return "" }
      return String(validating: last, as: UTF8.self)
    }
  }
#endif
