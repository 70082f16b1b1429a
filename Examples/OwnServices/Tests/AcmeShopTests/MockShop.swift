import AcmeShop
import NovaCore
import Synchronization

/// The mock backend of the shop: two RPCs of one service, and one of another. The others fail with `unimplemented`.
final class MockShop: OrderServiceProtocol, CatalogServiceProtocol {
  private let orders = Mutex<[String: Order]>([:])

  func createOrder(_ request: CreateOrderRequest) async throws -> Order {
    orders.withLock { orders in
      var order = Order(id: "order-\(orders.count + 1)", status: .open, lines: request.lines)
      switch request.payment {
      case .card(let token): order.card = token
      case .invoice(let number): order.invoice = number
      case nil: break
      }
      orders[order.id] = order
      return order
    }
  }

  func getOrder(_ request: GetOrderRequest) async throws -> Order {
    guard let order = orders.withLock({ $0[request.id] }) else {
      throw APIError(.notFound, "no order \(request.id)")
    }
    return order
  }

  func updateOrder(_ request: UpdateOrderRequest) async throws -> Order {
    var order = try await getOrder(GetOrderRequest(id: request.id))
    guard let changes = request.order else { return order }
    for path in request.updateMask?.paths ?? [] {
      switch path {
      case "status": order.status = changes.status
      case "delivery": order.delivery = changes.delivery
      default: throw APIError(.invalidArgument, "unknown field \(path)")
      }
    }
    return order
  }

  func deleteOrder(_ request: DeleteOrderRequest) async throws -> ProtoEmpty {
    orders.withLock { $0[request.id] = nil }
    return ProtoEmpty()
  }

  func getCategories(_ request: GetCategoriesRequest) async throws -> Category {
    let tags = request.filter?.tags.joined(separator: "+") ?? ""
    return Category(
      name: "\(request.filter?.language ?? ""):\(tags):\(request.depth.map(String.init) ?? "all"):\(request.inStock)",
      replaces: Category(name: "old"), attributes: ["color": .string("red"), "weights": .array([.number("1")])])
  }
}
