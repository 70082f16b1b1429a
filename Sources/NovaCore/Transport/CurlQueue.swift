/// Transfers that wait for their turn, first come first served. Taking one out of the middle is as cheap as at the front.
struct CurlQueue {
  private var waiting: [UInt64: CurlTransfer] = [:]
  private var firstTicket: UInt64 = 0
  private var nextTicket: UInt64 = 0

  var isEmpty: Bool { waiting.isEmpty }

  mutating func append(_ transfer: CurlTransfer) {
    transfer.ticket = nextTicket
    waiting[nextTicket] = transfer
    nextTicket += 1
  }

  mutating func removeFirst() -> CurlTransfer? {
    while firstTicket < nextTicket {
      defer { firstTicket += 1 }
      if let transfer = waiting.removeValue(forKey: firstTicket) { return transfer }
    }
    return nil
  }

  mutating func remove(_ transfer: CurlTransfer) {
    waiting[transfer.ticket] = nil
  }
}
