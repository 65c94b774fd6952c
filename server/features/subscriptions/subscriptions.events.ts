declare module '#server/kernel/events.ts' {
  interface EventData {
    'business.subscribed': { businessId: string; userId: string }
    'business.unsubscribed': { businessId: string; userId: string }
  }
}

export {}
