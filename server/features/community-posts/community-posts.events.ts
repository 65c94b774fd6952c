declare module '../../kernel/events.ts' {
  interface EventData {
    /** Which answer, and whose, is read from the post. */
    'answer.accepted': { postId: string }
  }
}

export {}
