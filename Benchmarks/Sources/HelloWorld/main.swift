// The least that a Swift program costs to start.

print("Hello, world")
