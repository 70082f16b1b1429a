/// U+FEFF at the beginning of a file or a body, with which some editors and servers mark UTF-8. It is not a part of the
/// text.
package enum ByteOrderMark {
  package static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The bytes without a mark at their beginning.
  package static func removed(from bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: utf8) ? Array(bytes.dropFirst(utf8.count)) : bytes
  }
}
