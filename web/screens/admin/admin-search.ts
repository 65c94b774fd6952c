import { Id } from '#contracts/fields.ts'
import { type SearchParams, textParam, wordParam } from '#web/lib/search-params.ts'

/** Moderators' tabs come before admins'. The address omits the first tab. */
export const adminTabs = [
  'overview',
  'reports',
  'appeals',
  'claims',
  'licenses',
  'corrections',
  'people',
  'businesses',
  'communities',
  'plans',
  'invoices',
  'audit',
  'jobs',
] as const
export type AdminTab = (typeof adminTabs)[number]

export type AdminSearch = {
  tab?: AdminTab | undefined
  q?: string | undefined
  person?: string | undefined
  action?: string | undefined
  subject?: string | undefined
  actor?: string | undefined
  business?: string | undefined
  /** Calendar days, such as 2026-11-21. */
  from?: string | undefined
  to?: string | undefined
}

export type PanelProps = { search: AdminSearch; onSearch: (search: AdminSearch) => void; isAdmin: boolean }

const idParam = (value: unknown): string | undefined => {
  const result = Id.safeParse(value)
  return result.success ? result.data : undefined
}

/** Undefined for days that don't exist, and for years so early or late that a time zone could move the day out of range. */
const dayParam = (value: unknown): string | undefined => {
  const day = String(value)
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day) && day > '0002' && day < '9999'
  const time = isDay ? Date.parse(`${day}T00:00:00Z`) : Number.NaN
  return Number.isNaN(time) || !new Date(time).toISOString().startsWith(day) ? undefined : day
}

export const readAdminSearch = (search: SearchParams): AdminSearch => ({
  tab: wordParam(search.tab, adminTabs),
  q: textParam(search.q, 120),
  person: idParam(search.person),
  action: typeof search.action === 'string' && /^[a-z_]{1,60}(\.[a-z_]{1,60})?$/.test(search.action) ? search.action : undefined,
  subject: idParam(search.subject),
  actor: idParam(search.actor),
  business: idParam(search.business),
  from: dayParam(search.from),
  to: dayParam(search.to),
})
