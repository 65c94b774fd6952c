declare module '../../kernel/events.ts' {
  interface EventData {
    'menu.product-added': { businessId: string }
    /** Cheaper than before, or in stock again. */
    'menu.product-changed': { businessId: string }
  }
}

export {}
