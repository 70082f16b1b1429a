/// U+FEFF at the start of a file or a body, which some editors and servers add to mark UTF-8. It is not part of the
/// text.
package enum ByteOrderMark {
  package static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The bytes without a leading mark.
  package static func removed(from bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: utf8) ? Array(bytes.dropFirst(utf8.count)) : bytes
  }
}
