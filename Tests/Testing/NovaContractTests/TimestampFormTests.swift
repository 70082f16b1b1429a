import NovaCapture
import NovaCore
import Testing

@testable import NovaContract

@Suite struct TimestampFormTests {
  @Test(arguments: [
    ("2025-12-01T10:00:00Z", false), ("2025-12-01T10:00:00+01:00", false), ("2025-12-01T10:00:00.5Z", false),
    ("2025-12-01T10:00:00", true), ("2025-12-01 10:00:00Z", true), ("2025-12-01 10:00:00", true),
  ])
  func timesWithoutOffsetAreTolerated(text: String, differs: Bool) throws {
    let field = try #require(Something.descriptor.field(named: "created_at"))
    let check = ValueCheck(binding: CaptureRPC.getSomething.descriptor.http)
    let finding = check.difference(of: .string(text), as: field, at: "created_at")
    #expect((finding != nil) == differs, "\(text)")
  }
}
