declare module '#server/kernel/events.ts' {
  interface EventData {
    'post.published': { postId: string }
    'post.liked': { postId: string; userId: string }
  }
}

export {}
