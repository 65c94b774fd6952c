import { findState } from '../../kernel/geo/us-states.ts'

type Row = { state: string; authority: string | null; status: string | null; standing: string }

/** Why a license of the register cannot stand for a business, in the register's own words; null where nothing speaks against it. */
export function registerObjection({ state, authority, status, standing }: Row): string | null {
  const register = authority ? `The register of the ${authority}` : `The register of ${findState(state)?.name ?? state}`
  if (standing === 'missing') return `${register} does not list this license any more.`
  if (standing === 'inactive') return `${register} lists this license as “${status ?? 'not active'}”.`
  return null
}

/** `2027-01-31` → "January 31, 2027". */
export const longDate = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

/** Whole days from one day to another. */
export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
