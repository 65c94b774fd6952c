declare module '#server/kernel/events.ts' {
  interface EventData {
    'person.followed': { personId: string; followerId: string }
  }
}

export {}
