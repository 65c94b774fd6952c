/** The time, replaceable in tests. Nothing that depends on time calls `new Date()` itself. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }
