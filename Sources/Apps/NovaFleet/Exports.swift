@_exported public import NovaAuth
@_exported public import NovaCore
@_exported public import NovaPostgreSQL
@_exported public import NovaRedis
