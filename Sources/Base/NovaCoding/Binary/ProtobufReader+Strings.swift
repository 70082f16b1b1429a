#if GRPC
  extension ProtobufReader {
    /// Reads a text, which must be valid UTF-8.
    @usableFromInline
    mutating func string() throws(ProtobufError) -> String {
      var text = ""
      try read(into: &text)
      return text
    }

    /// Replaces a text by the next one, which must be valid UTF-8.
    @usableFromInline
    mutating func read(into text: inout String) throws(ProtobufError) {
      let count = try length()
      if count <= SmallText.maximumCount, makesSmallTexts, let small = smallText(count) {
        position += count
        small.replace(&text)
      } else {
        text = try longString(count)
      }
    }

    /// Reads a text that is long, or not ASCII.
    // Separate, so that the usual path saves and restores no registers for it.
    @inline(never)
    private mutating func longString(_ count: Int) throws(ProtobufError) -> String {
      let start = position
      let bytes = UnsafeBufferPointer(start: start, count: count)
      let isASCII = isASCII(start, count: count)
      if !isASCII, let place = Self.firstInvalidByte(in: bytes) { throw invalidText(bytes, at: place) }
      position = start + count
      if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
        // Does not check the bytes again.
        return String(copying: unsafe UTF8Span(unchecked: bytes.span, isKnownASCII: isASCII))
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    /// The text at the position, if it is ASCII.
    @inline(__always)
    private func smallText(_ count: Int) -> SmallText? {
      let bytes = UnsafeRawPointer(position)
      let (low, high): (UInt64, UInt64)
      let unused = UInt64(truncatingIfNeeded: 64 &- 8 &* (count & 7))
      if count > 8 {
        (low, high) = (bytes.word(at: 0), bytes.word(at: count &- 8) >> unused)
      } else if count == 8 {
        (low, high) = (bytes.word(at: 0), 0)
      } else {
        guard count > 0, position - start >= 8 else { return nil }
        (low, high) = (bytes.word(at: count &- 8) >> unused, 0)
      }
      return (low | high) & 0x8080_8080_8080_8080 == 0 ? SmallText(low, high, count: count) : nil
    }

    /// Whether all bytes are ASCII, eight at a time. The last eight overlap those before, which are of the input as well.
    @inline(__always)
    private func isASCII(_ text: UnsafePointer<UInt8>, count: Int) -> Bool {
      let bytes = UnsafeRawPointer(text)
      var found: UInt64 = 0
      if count >= 8 {
        var index = 0
        while index < count - 8 {
          found |= bytes.word(at: index)
          index &+= 8
        }
        found |= bytes.word(at: count - 8)
      } else if text - start >= 8, count > 0 {
        found = bytes.word(at: count - 8) >> UInt64(truncatingIfNeeded: 64 - 8 * count)
      } else {
        for index in 0..<count { found |= UInt64(text[index]) }
      }
      return found & 0x8080_8080_8080_8080 == 0
    }

    /// The start of the first character that is not well-formed by RFC 3629.
    @inline(never)
    private static func firstInvalidByte(in bytes: UnsafeBufferPointer<UInt8>) -> Int? {
      var index = 0
      while index < bytes.count {
        let count = characterLength(in: bytes, at: index)
        if count == 0 { return index }
        index += count
      }
      return nil
    }

    /// The number of bytes of the character at `index`; 0 if it is not well-formed.
    @inline(__always)
    private static func characterLength(in bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
      let first = bytes[index]
      if first < 0x80 { return 1 }
      let count: Int
      var second: ClosedRange<UInt8> = 0x80...0xBF
      switch first {
      case 0xC2...0xDF: count = 2
      case 0xE0: (count, second) = (3, 0xA0...0xBF)
      case 0xED: (count, second) = (3, 0x80...0x9F)
      case 0xE1...0xEF: count = 3
      case 0xF0: (count, second) = (4, 0x90...0xBF)
      case 0xF1...0xF3: count = 4
      case 0xF4: (count, second) = (4, 0x80...0x8F)
      default: return 0
      }
      guard bytes.count - index >= count, second.contains(bytes[index + 1]) else { return 0 }
      for offset in 2..<max(count, 2) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
      return count
    }

    @inline(never)
    private func invalidText(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> ProtobufError {
      failure("valid UTF-8", found: "byte \(bytes[place].hexadecimal)", at: position + place)
    }
  }
#endif
