import NovaCore
import NovaMock
import NovaServer
import NovaWebSocket

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

// What Autobahn's suite tests; Tools/check-websocket runs it:
//   websocket-check client <url> <agent>    runs every case of a fuzzing server
//   websocket-check server                  prints its URL, and sends back what it receives until standard input ends

/// The suite sends messages of 16 MiB, and would take pings for answers.
let limits = WebSocketLimits(maximumFrameBytes: 32 << 20, maximumMessageBytes: 32 << 20, pingInterval: nil)

func echo(on socket: WebSocketConnection) async {
  do {
    while let message = try await socket.receive() { try await socket.send(message) }
  } catch {
    // Most cases end with an error on purpose.
  }
  await socket.close()
}

func runClient(_ url: String, agent: String) async throws {
  func connect(_ path: String) async throws -> WebSocketConnection {
    try await WebSocketConnection.connect(to: HTTPURL(parsing: url + path), limits: limits)
  }
  let counter = try await connect("/getCaseCount")
  guard case .text(let text) = try await counter.receive(), let count = Int(text), count > 0 else {
    throw TransportError(.malformedResponse, "the suite reports no number of cases", requestMayHaveLeft: true)
  }
  await counter.close()
  for number in 1...count { await echo(on: try await connect("/runCase?case=\(number)&agent=\(agent)")) }
  await (try connect("/updateReports?agent=\(agent)")).close()
}

func runServer() async throws {
  let endpoint = WebSocketEndpoint(path: "/echo", limits: limits) { _ in .open { socket in await echo(on: socket) } }
  let server = try await MockServer(
    host: "127.0.0.1", port: 0, backend: MockBackend(dataSet: .empty), webSockets: [endpoint])
  try SystemIO.write(Array("\(server.url)/echo\n".utf8), to: STDOUT_FILENO)
  while readLine() != nil {}
  await server.stop()
}

let arguments = CommandLine.arguments.dropFirst()
do {
  if arguments.count == 3, arguments.first == "client" {
    try await runClient(CommandLine.arguments[2], agent: CommandLine.arguments[3])
  } else if arguments == ["server"] {
    try await runServer()
  } else {
    print("usage: websocket-check client <url> <agent> | server")
    exit(64)
  }
} catch {
  print("websocket-check: \(error)")
  exit(1)
}
