import Foundation
import NovaAuth
import NovaCore
import NovaGraph

/// What all parts send and get.
enum Samples {
  static let request = GetFollowersRequest(userId: "9f8b6c1e-4d2a-4b7e-8c3d-100000000000", limit: 20)

  /// 20 ids of 36 bytes.
  static let answer: String = {
    let ids = (0..<20).map { "\"9f8b6c1e-4d2a-4b7e-8c3d-\(100_000_000_000 + $0)\"" }
    return #"{"user_ids":[\#(ids.joined(separator: ","))],"total_count":3021,"has_more":true}"#
  }()

  /// A token of the length that tokens have.
  static let token = String(repeating: "abcdefghijklmnopqrstuvwxyz012345", count: 12) + ".x.y"

  /// Now, as servers write it.
  static let date: String = {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(secondsFromGMT: 0)
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: Date())
  }()

  static func configuration(_ baseURL: String) throws -> APIConfiguration {
    try APIConfiguration(ConfigurationOverrides(baseURL: baseURL))
  }

  static func session(lifetime: Int64) throws -> Session {
    guard let refreshToken = RefreshToken("refresh-token") else { throw Unusable() }
    return Session(
      accessToken: try AccessToken(token), refreshToken: refreshToken,
      expiresAt: Int64(Date().timeIntervalSince1970) + lifetime, user: User(id: "u", email: "u@example.com"))
  }

  struct Unusable: Error {}
}

/// Answers at once, with the headers that nginx sends.
struct InstantTransport: HTTPTransport {
  private static let response = HTTPResponse(
    status: 200,
    headers: [
      "Server": "nginx/1.22.1", "Date": Samples.date, "Content-Type": "application/json",
      "Content-Length": "\(Samples.answer.utf8.count)", "Connection": "keep-alive",
    ], body: Array(Samples.answer.utf8))

  func send(_ request: HTTPRequest) async throws -> HTTPResponse { Self.response }
}

extension [Double] {
  var median: Double { sorted()[count / 2] }
}

/// The CPU time that this process has used, in microseconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1_000_000 + Double(time.tv_nsec) / 1000
}

func report(_ kind: String, name: String, _ figures: [String: Double]) {
  let members = figures.sorted { $0.key < $1.key }.map { #", "\#($0.key)": \#($0.value)"# }
  print(#"{"kind": "\#(kind)", "name": "\#(name)"\#(members.joined())}"#)
}
