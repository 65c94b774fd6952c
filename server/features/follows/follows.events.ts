declare module '../../kernel/events.ts' {
  interface EventData {
    'person.followed': { personId: string; followerId: string }
  }
}

export {}
