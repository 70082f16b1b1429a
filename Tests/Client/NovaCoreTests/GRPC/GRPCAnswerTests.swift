@testable import NovaCore
import Testing

/// How the end of an answer is read.
@Suite struct GRPCAnswerTests {
  private static let grpc: HTTPHeaders = ["content-type": "application/grpc+proto"]
  private static let page: HTTPHeaders = ["content-type": "text/html", "retry-after": "7"]

  /// The HTTP status, the head, the trailers, and the status; nil for success.
  static let rows: [(Int, HTTPHeaders, HTTPHeaders, GRPCStatus?)] = [
    (200, grpc, ["grpc-status": "0"], nil), (200, grpc, ["grpc-status": "5", "grpc-message": "x"], .notFound),
    (200, HTTPHeaders(grpc.fields + [.init(name: "grpc-status", value: "12")]), [:], .unimplemented),
    // An answer that ends without a status is never a success, whatever its head says.
    (200, grpc, [:], .unknown), (200, grpc, ["x": "y"], .unknown),
    (200, HTTPHeaders(grpc.fields + [.init(name: "grpc-status", value: "0")]), ["x": "y"], .unknown),
    (200, grpc, ["grpc-status": "five"], .unknown), (200, grpc, ["grpc-status": "-1"], .unknown),
    (200, grpc, ["grpc-status": "99"], GRPCStatus(rawValue: 99)), (200, page, [:], .unknown),
    (200, page, ["grpc-status": "0"], .unknown), (400, page, [:], .internalError), (401, page, [:], .unauthenticated),
    (403, page, [:], .permissionDenied), (404, page, [:], .unimplemented), (429, page, [:], .unavailable),
    (502, page, [:], .unavailable), (503, page, [:], .unavailable), (504, page, [:], .unavailable),
    (500, page, [:], .unknown), (302, page, [:], .unknown), (503, grpc, ["grpc-status": "7"], .permissionDenied),
    (503, grpc, ["grpc-status": "0"], .unavailable),
  ]

  @Test(arguments: rows)
  func hasOneStatus(httpStatus: Int, headers: HTTPHeaders, trailers: HTTPHeaders, expected: GRPCStatus?) {
    switch GRPCAnswer(status: httpStatus, headers: headers, trailers: trailers) {
    case .success: #expect(expected == nil)
    case .failure(let status, let fields):
      #expect(status == expected)
      #expect(
        fields["Retry-After"] == (trailers["grpc-status"] == nil && headers == Self.page ? "7" : nil)
          || expected == .unknown)
    }
  }

  @Test func looksLikeAGatewaysAnswer() {
    let answer = GRPCAnswer(status: 200, headers: Self.grpc, trailers: ["grpc-status": "5", "grpc-message": "x"])
    let response = answer.response(Self.grpc) { () throws(GRPCViolation) in .empty }
    #expect(response.status == 404 && !response.isSuccess)
    #expect(response.headers.failedGRPCStatus == 5 && response.headers["grpc-message"] == "x")
  }

  @Test func successInTheHeadDoesNotCountBeforeMessages() {
    let head = HTTPHeaders(Self.grpc.fields + [.init(name: "grpc-status", value: "0")])
    guard case .failure(.unknown, _) = GRPCAnswer(status: 200, headers: head, hasMessages: true, trailers: [:]) else {
      Issue.record("an answer without an end was read as a success")
      return
    }
    guard case .success = GRPCAnswer(status: 200, headers: head, trailers: [:]) else {
      Issue.record("an answer without messages has its status in the head")
      return
    }
  }

  @Test func aSuccessWithoutItsMessageFails() {
    let answer = GRPCAnswer(status: 200, headers: Self.grpc, trailers: ["grpc-status": "0"])
    let response = answer.response(Self.grpc) { () throws(GRPCViolation) in throw .incomplete }
    #expect(response.status == 500 && response.headers.failedGRPCStatus == 13)
  }
}
