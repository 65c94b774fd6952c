declare module '#server/kernel/events.ts' {
  interface EventData {
    'hunt.shared': { huntId: string; personId: string }
    'hunt.commented': { commentId: string }
  }
}

export {}
