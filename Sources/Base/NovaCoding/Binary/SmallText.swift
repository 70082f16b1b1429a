#if GRPC
  /// A text of at most 15 ASCII bytes, in the form in which Swift keeps it in the string itself: its bytes, and in the last
  /// byte a mark with their count. It becomes a string without a call of the standard library, which reading a post would
  /// make five times, for a sixth of the time.
  ///
  /// Whether this standard library has that form is checked before it is relied on.
  struct SmallText {
    static let maximumCount = 15
    private static let mark: UInt64 = 0xE0 << 56

    private let words: (UInt64, UInt64)

    /// Creates the text of bytes in their order in memory. Those after `count` must be 0.
    @inline(__always)
    init(_ low: UInt64, _ high: UInt64, count: Int) {
      words = (low, high | Self.mark | UInt64(truncatingIfNeeded: count) << 56)
    }

    /// Replaces a string. Only if ``isSupported``.
    @inline(__always)
    func replace(_ text: inout String) {
      let hasNoMemory = withUnsafeMutableBytes(of: &text) { bytes in
        guard bytes.load(fromByteOffset: 8, as: UInt64.self) & Self.mark == Self.mark else { return false }
        // Nothing has to be released.
        bytes.storeBytes(of: words.0, as: UInt64.self)
        bytes.storeBytes(of: words.1, toByteOffset: 8, as: UInt64.self)
        return true
      }
      if !hasNoMemory { text = unsafeBitCast(words, to: String.self) }
    }

    /// Whether strings have this form.
    static let isSupported: Bool = {
      guard MemoryLayout<String>.size == 16 else { return false }
      return (0...maximumCount).allSatisfy { count in
        let bytes = (0..<16).map { UInt8($0 < count ? 0x70 + $0 : 0) }
        let (low, high) = bytes.withUnsafeBytes {
          ($0.load(as: UInt64.self), $0.load(fromByteOffset: 8, as: UInt64.self))
        }
        let text = String(decoding: bytes.prefix(count), as: UTF8.self)
        return unsafeBitCast(text, to: (UInt64, UInt64).self) == SmallText(low, high, count: count).words
      }
    }()
  }
#endif
