declare module '../../kernel/events.ts' {
  interface EventData {
    /** Something was done to somebody, or undone. */
    'moderation.acted': { actionId: string }
    'appeal.decided': { appealId: string }
  }
}

export {}
