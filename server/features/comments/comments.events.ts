declare module '../../kernel/events.ts' {
  interface EventData {
    'comment.written': { commentId: string }
  }
}

export {}
