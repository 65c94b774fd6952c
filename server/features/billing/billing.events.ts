declare module '../../kernel/events.ts' {
  interface EventData {
    /** What a business's or a person's plans unlock has changed: one of the two is null. */
    'billing.entitlements-changed': { businessId: string | null; userId: string | null }
  }
}

export {}
