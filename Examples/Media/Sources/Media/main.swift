import Foundation
import NovaCache
import NovaSDK

// The mock with its sample account. For a gateway: NovaClient(configuration: try .load(), sessionStore: …)
let nova = NovaClient(configuration: .builtIn, sessionStore: MemorySessionStore(), transport: MockTransport())
let me = try await nova.sessions.signIn(email: "bruce@nova.social", password: "mock-password").user.id

// Upload a picture with progress, and make it the avatar.
let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
let upload = nova.media.upload(.bytes(png), userId: me, fileName: "bruce.png")
for await progress in upload.updates where progress.isOver {
  print("upload \(progress.state): \(progress.uploadedBytes) of \(progress.totalBytes) bytes")
}
let record = try await upload.value
try await nova.users.updateUserProfile(userId: me, avatarUrl: record.url)
print("avatar: \(record.contentType) at \(record.url)")

// Download it to a file, which replaces one that is there.
let path = FileManager.default.temporaryDirectory.appending(path: "bruce-\(UUID()).png").path()
let file = try await nova.media.download(url: record.url, to: path) { progress in
  assert(progress.receivedBytes <= progress.totalBytes ?? .max)
}
print("downloaded: \(file.byteCount) bytes of \(file.contentType ?? "no type")")
try FileManager.default.removeItem(atPath: path)

// Show it through a cache, whose responses are for the signed-in user only.
let images = MediaCache(client: nova.client, cache: HTTPCache())
for _ in 1...2 { print("image: from the \(try await images.image(record.url).source)") }

// Sign out, and keep nothing.
await images.shutdown()
await images.removeAll()
try await nova.sessions.signOut()
print("cached after the sign-out: \(await images.usage().entries)")
