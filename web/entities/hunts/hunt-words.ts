import type { Hunt } from '#contracts/hunts.ts'
import { counted, dateFormat, formatNumber } from '#web/lib/format.ts'
import { localDay } from '#web/lib/time-words.ts'

const dayForm = dateFormat({ dateStyle: 'medium', timeZone: 'UTC' })
const shortForm = dateFormat({ month: 'short', day: 'numeric', timeZone: 'UTC' })

/** `2026-11-02` → "Nov 2, 2026", independent of time zones. */
export const formatDay = (day: string): string => dayForm.format(new Date(day))
/** `2026-11-03T02:00:00Z` → "Nov 2, 2026" in Denver. */
export const formatLocalDay = (moment: string): string => formatDay(localDay(new Date(moment)))
export const shortDay = (day: string): string => shortForm.format(new Date(day))

export function visibilityWords({ visibility, sharesCount, access }: Pick<Hunt, 'visibility' | 'sharesCount' | 'access'>): string {
  if (visibility === 'public') return 'Public'
  if (access !== 'own') return access === 'write' ? 'Shared: can edit' : 'Shared: can view'
  return sharesCount ? `Shared with ${counted(sharesCount, 'person', 'people')}` : 'Private'
}

/** "3 Active", or "50+ Active" if later pages may have more. */
export const activeText = (hunts: readonly Pick<Hunt, 'isActive'>[], hasMore: boolean): string =>
  `${formatNumber(hunts.filter(({ isActive }) => isActive).length)}${hasMore ? '+' : ''} Active`
