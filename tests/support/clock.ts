import type { Clock } from '#server/kernel/context.ts'

export type TestClock = Clock & {
  set(time: string | Date): void
  advance(by: { days?: number; hours?: number; minutes?: number; seconds?: number }): void
}

export function createTestClock(): TestClock {
  let offset = 0
  return {
    now: () => new Date(Date.now() + offset),
    set(time) {
      offset = new Date(time).getTime() - Date.now()
    },
    advance({ days = 0, hours = 0, minutes = 0, seconds = 0 }) {
      offset += (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
    },
  }
}
