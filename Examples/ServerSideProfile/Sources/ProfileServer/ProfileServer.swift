import Hummingbird
import NovaSDK

/// The server: `GET /profiles/:id` on HTTP/1.1, on this machine only.
///
/// - Parameters:
///   - port: 0 for one that is free.
///   - onListening: told the port once there is somebody to answer.
public func profileServer(
  _ reader: ProfileReader, port: Int, onListening: @escaping @Sendable (Int) -> Void = { _ in }
) -> some ApplicationProtocol {
  let router = Router()
  router.get("profiles/:id") { request, context in
    try await answer(request, in: context, from: reader)
  }
  return Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
    onServerRunning: { channel in onListening(channel.localAddress?.port ?? port) })
}

private func answer(
  _ request: Request, in context: BasicRequestContext, from reader: ProfileReader
) async throws -> Response {
  do {
    let page = try await reader.page(userId: context.parameters.require("id"))
    return try page.response(from: request, context: context)
  } catch let error as APIError {
    context.logger.warning("No profile", metadata: ["error": "\(error)"])
    var response = try Failure(error).response(from: request, context: context)
    response.status = .init(code: Failure.status(of: error.code))
    return response
  }
}
