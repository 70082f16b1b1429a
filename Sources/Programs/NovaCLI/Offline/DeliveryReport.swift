import NovaCore
import NovaOffline

/// What happened to the queued changes, as the commands that send them report it.
extension OutboxSummary {
  static let fields = RecordFields<OutboxSummary>(
    "DeliveryReport",
    [
      ("sent_count", .int64, { .integer($0.sent) }), ("refused_count", .int64, { .integer($0.refused) }),
      ("waiting_count", .int64, { .integer($0.waiting) }),
    ])

  /// `sent 2 changes, 1 refused, 3 still waiting`.
  var sentence: String {
    let refused = refused > 0 ? ", \(CountText.full(refused)) refused" : ""
    let waiting = waiting > 0 ? ", \(CountText.full(waiting)) still waiting" : ""
    return "sent \(CountText.phrase(sent, one: "change", many: "changes"))\(refused)\(waiting)"
  }
}
