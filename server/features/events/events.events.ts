declare module '#server/kernel/events.ts' {
  interface EventData {
    'event.announced': { eventId: string }
    'event.changed': { eventId: string; sequence: number }
    'event.canceled': { eventId: string }
    /** Remind these people if the event still starts at `startsAt`. */
    'event.due': { eventId: string; startsAt: string; userIds: string[] }
  }
}

export {}
