declare module '#server/kernel/events.ts' {
  interface EventData {
    /** The entitlements of a business or a person changed; the other ID is null. */
    'billing.entitlements-changed': { businessId: string | null; userId: string | null }
  }
}

export {}
