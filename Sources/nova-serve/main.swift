import NovaCLI
import NovaMock
import NovaServer

await Program.serve { settings in
  let backend = MockBackend(seed: settings.seed, faults: settings.faults)
  if let path = settings.statePath { _ = try StateFile(path, of: backend) }
  let server = try await MockServer(
    host: settings.host, port: settings.port, backend: backend, hasAdmin: settings.hasAdmin, log: settings.log)
  return RunningServer(url: server.url) { await server.stop() }
}
