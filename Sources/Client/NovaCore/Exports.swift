// NovaCore's public declarations include these modules: one import is enough.
@_exported public import NovaCoding
@_exported public import NovaHTTP
@_exported public import NovaSupport
