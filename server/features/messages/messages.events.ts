declare module '#server/kernel/events.ts' {
  interface EventData {
    /** Includes requests; listeners must check which it is for the recipient. */
    'message.sent': { messageId: string }
  }
}

export {}
