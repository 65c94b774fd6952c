import type { Hunt } from '../../../contracts/hunts.ts'
import { counted } from '../../lib/counted.ts'
import { dateFormat } from '../../lib/format.ts'

const dayForm = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' })
const shortForm = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' })

/** "Nov 2, 2026" of `2026-11-02`, wherever the reader is. */
export const dayWords = (day: string): string => dayForm.format(new Date(day))
/** "Nov 2" */
export const shortDay = (day: string): string => shortForm.format(new Date(day))

/** The day on the reader's own calendar. */
export const localDay = (now = new Date()): string =>
  [now.getFullYear(), String(now.getMonth() + 1).padStart(2, '0'), String(now.getDate()).padStart(2, '0')].join('-')

/** Whole days from one day to another. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

/** Who may see it, in a word. */
export function visibilityWords({ visibility, sharesCount, access }: Pick<Hunt, 'visibility' | 'sharesCount' | 'access'>): string {
  if (visibility === 'public') return 'Public'
  if (access !== 'own') return access === 'write' ? 'Shared: you can write' : 'Shared: you can view'
  return sharesCount ? `Shared with ${counted(sharesCount, 'person', 'people')}` : 'Private'
}
