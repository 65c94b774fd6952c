import type { CurrentUser } from '#contracts/accounts.ts'

export type Near = { near?: string }

/** Limits results to the area around the person's city. Empty if the city isn't a known place, for example abroad. */
export const nearHome = (user: Pick<CurrentUser, 'location' | 'isLocationKnown'> | null): Near =>
  user?.location && user.isLocationKnown ? { near: user.location } : {}

/** "near Denver" for "Denver, CO"; "in Colorado" for a state. */
export const whereWords = (near: string): string => (/, [A-Z]{2}$/.test(near) ? `near ${near.slice(0, -4)}` : `in ${near}`)
