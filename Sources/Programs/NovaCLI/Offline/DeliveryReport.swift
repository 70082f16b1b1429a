import NovaCore
import NovaOffline

/// What became of the changes that waited.
struct DeliveryReport {
  static let descriptor = MessageDescriptor(
    "DeliveryReport",
    fields: [
      FieldDescriptor("sent_count", number: 1, kind: .int64), FieldDescriptor("refused_count", number: 2, kind: .int64),
      FieldDescriptor("waiting_count", number: 3, kind: .int64),
    ])

  private let summary: OutboxSummary

  init(_ summary: OutboxSummary) { self.summary = summary }

  func write(to context: CommandContext, as format: OutputFormat) throws {
    switch format {
    case .table, .ids:
      let sent = CountText.phrase(summary.sent, one: "change", many: "changes", isCompact: false)
      let refused = summary.refused > 0 ? ", \(CountText.full(summary.refused)) refused" : ""
      let waiting = summary.waiting > 0 ? ", \(CountText.full(summary.waiting)) still waiting" : ""
      Diagnostics.confirmation("sent \(sent)\(refused)\(waiting)")
    case .json: try context.output.writeLine(json: PrettyJSON.spread(json))
    case .ndjson: try context.output.writeLine(json: json.jsonUTF8)
    }
    try context.output.flush()
  }

  private var json: JSONValue {
    func number(_ count: Int) -> JSONValue { .number(String(count)) }
    return .members(
      ("sent_count", number(summary.sent)), ("refused_count", number(summary.refused)),
      ("waiting_count", number(summary.waiting)))
  }
}
