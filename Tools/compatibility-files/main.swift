// Writes the files that only programs with the SDK write, for Tools/write-compatibility-files: a cassette of two calls, and
// analytics events that wait. NOVA_BASE_URL names the server to call.

import NovaRecording
import NovaSDK
import NovaTracking

let folder = CommandLine.arguments[1]

let recorder = try Recorder(path: "\(folder)/cassette.jsonl")
let nova = NovaClient(configuration: try .load()) { $0.middlewares = [recorder] }
_ = try await nova.graph.getFollowers(userId: "mock-user-id", limit: 3)
_ = try await nova.graph.isFollowing(followerId: "mock-user-id", followeeId: "user-0001")
try recorder.finish()

let tracker = EventTracker(directory: "\(folder)/analytics")
for screen in ["feed", "profile", "settings"] { tracker.track("screen_viewed", properties: ["screen": screen]) }
await tracker.flush()
