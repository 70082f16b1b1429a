import Foundation
import NovaOffline
import NovaSDK
import Synchronization

/// The way to a mock backend, which can be cut. For a gateway, leave `transport:` out.
final class Network: HTTPTransport {
  private let mock = MockTransport()
  private let isUp = Mutex(true)

  func set(isUp: Bool) { self.isUp.withLock { $0 = isUp } }

  func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    guard isUp.withLock({ $0 }) else {
      throw TransportError(.connectionRefused, "the network is down", requestMayHaveLeft: false)
    }
    return try await mock.send(request)
  }
}

let folder = FileManager.default.temporaryDirectory.appending(path: "nova-offline-\(UUID())").path()
try FileManager.default.createDirectory(
  atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
let network = Network()
let sessions = MemorySessionStore()

func startProgram() -> NovaClient {
  NovaClient(configuration: .builtIn, sessionStore: sessions, transport: network) {
    $0.store = OfflineStore(directory: folder)
  }
}

// What is read while the network is up can be read again later.
var nova = startProgram()
let me = try await nova.sessions.signIn(email: "bruce@nova.social", password: "mock-password").user.id
let post = try await nova.content.createPost(creatorId: me, content: "Hello, offline!").id
print("likes: \(try await nova.social.getLikeCount(postId: post))")

// Writes wait while it is down, and show at once.
network.set(isUp: false)
try await nova.social.createLike(postId: post, userId: me)
let comment = try await nova.social.createComment(postId: post, userId: me, content: "from the train")
let count = try await nova.client.respond(SocialRPC.getLikeCount, GetLikeCountRequest(postId: post))
if case .cache = count.source { print("likes: \(count.value.count), from the store") }
print("the comment is named \(comment.id.prefix(6))… until it is sent")

// They outlast the program.
await nova.shutdown(grace: .seconds(1))
nova = startProgram()
for entry in try await nova.offline.outbox.entries { print("waits: \(entry.rpc.id)") }

// They take effect once when the network is up again: by themselves, and at once with `flush`.
network.set(isUp: true)
print("waiting after the flush: \(try await nova.offline.outbox.flush().waiting)")
let comments = try await nova.social.getComments(postId: post)
print("comments: \(comments.comments.map(\.content))")
await nova.shutdown(grace: .seconds(1))
try FileManager.default.removeItem(atPath: folder)
