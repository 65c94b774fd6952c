declare module '#server/kernel/events.ts' {
  interface EventData {
    /** The answer and its author are read from the post. */
    'answer.accepted': { postId: string }
  }
}

export {}
