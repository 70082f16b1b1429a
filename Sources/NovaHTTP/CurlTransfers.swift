/// Every transfer that is not over, in the order of submission: first those that run, then those that wait their turn.
///
/// The transfers themselves are linked, so one in the middle leaves as cheaply as the first.
final class CurlTransfers {
  private(set) var first: CurlTransfer?
  private(set) var firstWaiting: CurlTransfer?
  private var last: CurlTransfer?

  @inline(never)
  func append(_ transfer: CurlTransfer) {
    transfer.previous = last
    last?.next = transfer
    last = transfer
    if first == nil { first = transfer }
    if firstWaiting == nil { firstWaiting = transfer }
  }

  /// Takes the next transfer that waits for its turn, which remains in the list.
  func startNext() -> CurlTransfer? {
    defer { firstWaiting = firstWaiting?.next }
    return firstWaiting
  }

  func remove(_ transfer: CurlTransfer) {
    if firstWaiting === transfer { firstWaiting = transfer.next }
    if first === transfer { first = transfer.next }
    if last === transfer { last = transfer.previous }
    transfer.previous?.next = transfer.next
    transfer.next?.previous = transfer.previous
    (transfer.previous, transfer.next) = (nil, nil)
  }
}
