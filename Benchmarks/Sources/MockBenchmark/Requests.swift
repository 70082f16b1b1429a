import Foundation
import NovaCore
import NovaMock

extension MockBackend {
  @discardableResult
  func ask(_ path: String, _ body: String) -> [UInt8] { answer(Self.request(path, body)) }

  private static func request(_ path: String, _ body: String) -> HTTPRequest {
    guard let url = try? HTTPURL(parsing: "http://localhost/api/v1/\(path)") else { preconditionFailure(path) }
    return HTTPRequest(method: .post, url: url, body: Array(body.utf8))
  }

  @discardableResult
  private func answer(_ request: HTTPRequest) -> [UInt8] {
    let response = respond(to: request)
    precondition(response.status == 200, String(decoding: response.body.bytes ?? [], as: UTF8.self))
    return response.body.bytes ?? []
  }

  func total(_ path: String, _ body: String) -> Int {
    let text = String(decoding: ask(path, body), as: UTF8.self)
    guard let field = text.range(of: #""total_count":"#) else { return 0 }
    return Int(text[field.upperBound...].prefix { $0.isNumber }) ?? 0
  }

  /// Reports the median of 200 requests, JSON in to JSON out. `bodies` are taken in turn; the requests are built before
  /// the clock starts.
  func measure(_ name: String, path: String, bodies: [String]) {
    let clock = ContinuousClock()
    let requests = bodies.map { Self.request(path, $0) }
    var times = (0..<200).map { number in
      clock.measure { answer(requests[number % requests.count]) } / .microseconds(1)
    }
    times.sort()
    report("request", name: name, ["us": times[100]])
  }
}

/// Prints figures as a line of JSON.
func report(_ kind: String, name: String = "", _ figures: [String: Double]) {
  let members = figures.sorted { $0.key < $1.key }.map { #", "\#($0.key)": \#($0.value)"# }
  print(#"{"kind": "\#(kind)", "name": "\#(name)"\#(members.joined())}"#)
}

/// The CPU time of this process, in microseconds.
func processorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
}

/// A figure of this process in MB, by its name in /proc: VmRSS is what is resident, VmHWM the most that ever was.
func memory(_ name: String) -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
  return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first).flatMap { Int($0) }.map { $0 / 1024 } ?? 0
}
