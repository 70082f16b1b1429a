import Hummingbird
import NovaLifecycle
import NovaSDK

/// The server, on HTTP/1.1 and this machine only: profiles, the events of the caller, and what an orchestrator asks.
///
/// - Parameters:
///   - nova: the one client of the process. It is shut down when the last response has been sent.
///   - port: 0 for one that is free.
///   - reader: what reads profiles as the caller of a request; tests pass fakes.
///   - onListening: told the port once there is somebody to answer.
public func profileServer(
  _ nova: NovaClient, port: Int,
  reader: @escaping @Sendable (NovaClient) -> ProfileReader = { ProfileReader($0) },
  onListening: @escaping @Sendable (Int) -> Void = { _ in }
) -> some ApplicationProtocol {
  let router = Router()
  // Continues the trace that a request brings; the SDK's spans are children of it.
  router.add(middleware: TracingMiddleware())
  router.add(middleware: FailureMiddleware())
  router.get("live") { _, _ in Response(status: .ok) }
  router.get("ready") { _, context in await readiness(of: nova, in: context) }
  router.get("profiles/:id") { request, context in
    let caller = try nova.acting(for: request, in: context)
    let page = try await reader(caller).page(userId: context.parameters.require("id"))
    return caller.options.token == nil ? page.forStrangers : page
  }
  router.get("events") { request, context in try await eventStream(for: request, in: context, from: nova) }
  return Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
    services: [NovaClientService(nova)],
    onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) })
}

/// Whether requests should come here. The public learns the kinds of problems, the log their details.
private func readiness(of nova: NovaClient, in context: some RequestContext) async -> Response {
  let readiness = await nova.readiness(timeout: .seconds(1))
  if readiness.isReady { return Response(status: .ok) }
  context.logger.warning("Not ready", metadata: ["problems": "\(readiness)"])
  let kinds = readiness.problems.map(\.kind.rawValue).joined(separator: "\n")
  return Response(status: .serviceUnavailable, body: ResponseBody(byteBuffer: ByteBuffer(string: kinds + "\n")))
}
