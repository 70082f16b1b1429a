/// U+FEFF at the beginning of a file or a body, with which some editors and servers mark UTF-8. It is not a part of the
/// text.
package enum ByteOrderMark {
  package static let utf8: [UInt8] = [0xEF, 0xBB, 0xBF]
}
