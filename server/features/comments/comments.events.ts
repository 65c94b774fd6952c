declare module '#server/kernel/events.ts' {
  interface EventData {
    'comment.written': { commentId: string }
  }
}

export {}
