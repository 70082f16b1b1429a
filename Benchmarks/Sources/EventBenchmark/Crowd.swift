import CEpoll
import Foundation

/// Subscribers on plain sockets, which one thread reads. A process of its own: it reports when all are connected, and
/// then when it is asked.
struct Crowd {
  static let idleTopic = "post:idle"
  /// More would wait for the server to accept them.
  private static let mostOpening = 256

  private let port: UInt16
  private var sockets: [Int32] = []
  private var readers: [StreamReader]
  private var tally = Tally()
  private var (open, closed) = (0, 0)
  private let poll = epoll_create1(0)
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)

  /// - Parameter busy: the number of those to whose topic events are posted.
  init(port: UInt16, count: Int, busy: Int) {
    self.port = port
    readers = (0..<count).map { StreamReader(isBusy: $0 < busy) }
    allowManyFiles()
  }

  /// Runs until its input ends.
  mutating func run() throws {
    try watch(0, as: -1)
    let start = monotonicTime()
    var events = [epoll_event](repeating: epoll_event(), count: 512)
    while true {
      while sockets.count < readers.count, sockets.count - open < Self.mostOpening { try connect() }
      let ready = epoll_wait(poll, &events, Int32(events.count), -1)
      for event in events.prefix(Int(max(0, ready))) {
        if event.data.fd < 0 {
          guard let command = readLine() else { return }
          answer(command)
        } else {
          receive(Int(event.data.fd))
          if open == readers.count, sockets.count == readers.count, !hasReported {
            hasReported = true
            Report(["milliseconds": (monotonicTime() - start) / 1_000_000]).send()
          }
        }
      }
    }
  }

  private var hasReported = false

  private mutating func connect() throws {
    let topic = readers[sockets.count].isBusy ? Poster.topic : Self.idleTopic
    let request = "GET /api/v1/events/stream?topics=\(topic) HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    let socket = try connectedSocket(port: port)
    _ = request.withCString { write(socket, $0, strlen($0)) }
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    try watch(socket, as: sockets.count)
    sockets.append(socket)
  }

  private func watch(_ file: Int32, as index: Int) throws {
    var event = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: Int32(index)))
    guard epoll_ctl(poll, EPOLL_CTL_ADD, file, &event) == 0 else { throw Unusable(description: "epoll failed") }
  }

  private mutating func receive(_ index: Int) {
    let wasOpen = readers[index].isOpen
    if !readers[index].read(sockets[index], into: buffer, &tally) {
      closed += 1
      close(sockets[index])
    }
    if !wasOpen, readers[index].isOpen { open += 1 }
  }

  private mutating func answer(_ command: String) {
    let busy = readers.filter(\.isBusy).map(\.count)
    var numbers = tally.latencies.report
    numbers["received"] = tally.latencies.count
    numbers["least"] = busy.min() ?? 0
    numbers["most"] = busy.max() ?? 0
    (numbers["lost"], numbers["repeated"]) = (tally.lost, tally.repeated)
    (numbers["ends"], numbers["refusals"]) = (tally.ends, tally.refusals)
    (numbers["closed"], numbers["alive"]) = (closed, tally.signsOfLife)
    numbers["cpu"] = processorTime()
    Report(numbers).send()
    if command == "reset" { tally.latencies = Latencies() }
  }
}
