declare module '../../kernel/events.ts' {
  interface EventData {
    /** Requests too; whoever tells of it asks the recipient's side what it is. */
    'message.sent': { messageId: string }
  }
}

export {}
