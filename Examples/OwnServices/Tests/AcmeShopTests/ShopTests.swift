import AcmeShop
import AcmeShopTesting
import NovaCore
import NovaTesting
import Testing

@Suite struct ShopTests {
  private let orders: OrderService
  private let catalog: CatalogService

  init() {
    let shop = MockShop()
    let transport = ServiceTransport(shop.orderRoutes + shop.catalogRoutes)
    let client = APIClient(configuration: .builtIn, transport: transport)
    orders = OrderService(client: client)
    catalog = CatalogService(client: client)
  }

  @Test func ordersAreCreatedChangedAndDeleted() async throws {
    let created = try await orders.createOrder(
      CreateOrderRequest(lines: [Order.Line(sku: "tea", count: 2)], payment: .invoice(.max)))
    #expect(created.payment == .invoice(.max) && created.card == nil && created.status == .open)
    #expect(try await orders.getOrder(GetOrderRequest(id: created.id)) == created)

    var request = UpdateOrderRequest(id: created.id, updateMask: ["status", "delivery"])
    request.order = Order(status: .shipped, delivery: .seconds(90))
    let updated = try await orders.updateOrder(request)
    #expect(updated.status == .shipped && updated.delivery == .seconds(90) && updated.lines == created.lines)

    _ = try await orders.deleteOrder(DeleteOrderRequest(id: created.id))
    let error = await #expect(throws: APIError.self) { try await orders.getOrder(GetOrderRequest(id: created.id)) }
    #expect(error?.code == .notFound)
  }

  @Test func messagesInTheQueryAndTreesInTheResponse() async throws {
    let request = GetCategoriesRequest(filter: .init(language: "en", tags: ["new", "sale"]), depth: 3, inStock: true)
    let category = try await catalog.getCategories(request)
    #expect(category.name == "en:new+sale:3:true" && category.replaces?.name == "old")
    #expect(category.attributes?["weights"] == .array([.number("1")]))
  }

  @Test func anRPCWithoutABindingFailsOverHTTP() async {
    let error = await #expect(throws: APIError.self) { try await orders.reindexOrders(ProtoEmpty()) }
    #expect(error?.code == .unimplemented)
  }

  @Test func fakesRecordCalls() async throws {
    let fake = FakeOrderService()
    fake.getOrder.returns(Order(id: "order-7"))
    #expect(try await fake.getOrder(GetOrderRequest(id: "7")).id == "order-7")
    #expect(fake.getOrder.requests == [GetOrderRequest(id: "7")])
  }
}
