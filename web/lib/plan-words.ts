import { dateFormat } from './format.ts'

const day = dateFormat({ dateStyle: 'long', timeZone: 'UTC' })

/** "until December 23, 2026", or empty if it doesn't end. */
export const untilWords = (endsAt: string | null): string => (endsAt === null ? '' : `until ${day.format(new Date(endsAt))}`)

/** "Pro", or "Pro until December 23, 2026" if canceled. */
export const planWords = (name: string, endsAt: string | null): string => `${name} ${untilWords(endsAt)}`.trim()
