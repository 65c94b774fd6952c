declare module '#server/kernel/events.ts' {
  interface EventData {
    'moderation.acted': { actionId: string }
    'appeal.decided': { appealId: string }
  }
}

export {}
