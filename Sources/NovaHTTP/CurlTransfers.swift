/// Every transfer of one kind that is not over, in the order of submission: first those that run, then those that wait their
/// turn.
///
/// The transfers themselves are linked, so one in the middle leaves as cheaply as the first.
final class CurlTransfers {
  private(set) var first: CurlTransfer?
  private var firstWaiting: CurlTransfer?
  private var last: CurlTransfer?
  private let limit: Int
  private(set) var runningCount = 0

  /// - Parameter limit: how many run at once; in place of a number below 1, 1 is used.
  init(limit: Int) { self.limit = max(1, limit) }

  /// Whether a transfer waits though there is room for it.
  var hasWorkToStart: Bool { firstWaiting != nil && runningCount < limit }

  @inline(never)
  func append(_ transfer: CurlTransfer) {
    transfer.previous = last
    last?.next = transfer
    last = transfer
    if first == nil { first = transfer }
    if firstWaiting == nil { firstWaiting = transfer }
  }

  /// Takes the next transfer that waits for its turn, if there is room for it. It remains in the list.
  func startNext() -> CurlTransfer? {
    guard runningCount < limit, let transfer = firstWaiting else { return nil }
    firstWaiting = transfer.next
    transfer.hasTurn = true
    runningCount += 1
    return transfer
  }

  func remove(_ transfer: CurlTransfer) {
    if transfer.hasTurn { runningCount -= 1 }
    transfer.hasTurn = false
    if firstWaiting === transfer { firstWaiting = transfer.next }
    if first === transfer { first = transfer.next }
    if last === transfer { last = transfer.previous }
    transfer.previous?.next = transfer.next
    transfer.next?.previous = transfer.previous
    (transfer.previous, transfer.next) = (nil, nil)
  }
}
