/** The time, replaceable in tests. Nothing that decides by time calls `new Date()` itself. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
