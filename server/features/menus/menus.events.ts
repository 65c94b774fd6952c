declare module '#server/kernel/events.ts' {
  interface EventData {
    'menu.product-added': { businessId: string }
    'menu.product-changed': { businessId: string }
  }
}

export {}
