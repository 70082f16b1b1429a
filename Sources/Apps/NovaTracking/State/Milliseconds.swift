/// Unix times in milliseconds, within the range that the contract allows, whatever a clock reports.
enum Milliseconds {
  static func clamped(_ value: Double) -> Int64 {
    value.isNaN ? 1 : Int64(min(max(value, 1), 9_007_199_254_740_991))
  }
}
