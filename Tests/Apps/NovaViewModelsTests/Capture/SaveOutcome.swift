import NovaCapture
import NovaCore
import NovaTesting

/// The server's response to a save.
enum SaveOutcome: CaseIterable, Sendable {
  case saved, savedWithMeaning, unauthorized, refused, broken, unreachable

  var isSuccess: Bool { self == .saved || self == .savedWithMeaning }

  /// The outcome for a fake.
  var played: FakeOutcome<CreateSomethingRequest, Something> {
    switch self {
    case .saved, .savedWithMeaning:
      .runs { request in
        Something(
          id: 1, userId: "ada", content: request.content, contentType: request.contentType,
          meaning: self == .saved ? nil : "About: \(request.content ?? "")")
      }
    case .unauthorized: .fails(APIError(.unauthorized, "expired", httpStatus: 401))
    case .refused: .fails(APIError(.invalidArgument, "refused", httpStatus: 400))
    case .broken: .fails(APIError(.serverError, "broken", httpStatus: 500))
    case .unreachable: .fails(APIError(.networkError, "nothing listens"))
    }
  }
}

extension FakeCaptureService {
  /// Sets the outcome of the next save, once the gate is open.
  func next(_ outcome: SaveOutcome, after gate: FakeGate) { createSomething.plays([outcome.played.after(gate)]) }

  /// The texts of all save requests, in order.
  var texts: [String?] { createSomething.requests.map(\.content) }
}
