import Hummingbird
import NovaSDK
import ProfileServer

// APIConfig.json and NOVA_… variables say where the gateway is; with NOVA_MOCK=1 there need not be one.
let nova = try NovaClient()
let server = profileServer(ProfileReader(nova), port: Environment().get("PORT", as: Int.self) ?? 8081)
try await server.runService()
await nova.client.shutdown()
