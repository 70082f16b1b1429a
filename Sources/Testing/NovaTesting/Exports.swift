// Recordings and comparisons are a module of their own, so that programs can use them without test servers.
@_exported public import NovaRecording
