import { findState } from '#server/kernel/geo/us-states.ts'

type Row = { state: string; authority: string | null; status: string | null; standing: string }

/** Why a registered license can't be used, in the register's words; null if nothing is wrong. */
export function registerObjection({ state, authority, status, standing }: Row): string | null {
  const register = authority ? `The register of the ${authority}` : `The register of ${findState(state)?.name ?? state}`
  if (standing === 'missing') return `${register} no longer lists this license.`
  if (standing === 'inactive') return `${register} lists this license as “${status ?? 'not active'}”.`
  return null
}

/** `2027-01-31` → "January 31, 2027". */
export const longDate = (day: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`))

export const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
