/// All unfinished transfers of one kind in order of submission: first the running ones, then those that wait.
///
/// It is a linked list, so removing a transfer is fast anywhere in it.
final class CurlTransfers {
  private(set) var first: CurlTransfer?
  private var firstWaiting: CurlTransfer?
  private var last: CurlTransfer?
  private let limit: Int
  private(set) var runningCount = 0

  /// - Parameter limit: the maximum number of running transfers; a number below 1 counts as 1.
  init(limit: Int) { self.limit = max(1, limit) }

  /// Whether a waiting transfer can start.
  var hasWorkToStart: Bool { firstWaiting != nil && runningCount < limit }

  @inline(never)
  func append(_ transfer: CurlTransfer) {
    transfer.previous = last
    last?.next = transfer
    last = transfer
    if first == nil { first = transfer }
    if firstWaiting == nil { firstWaiting = transfer }
  }

  /// Returns the next waiting transfer, if there is room for it. It stays in the list.
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
