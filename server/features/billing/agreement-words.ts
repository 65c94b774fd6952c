const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** "November 21, 2026", in UTC. */
export const longDay = (at: Date): string => day.format(at)
