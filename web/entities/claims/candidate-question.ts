import type { CandidateQuery } from './claims.api.ts'

export type Typed = { licenseNumber?: string; name?: string; place?: string }

/** Query for matching listings; null if too little is typed to identify a business. */
export function questionOf({ licenseNumber = '', name = '', place = '' }: Typed): CandidateQuery | null {
  const number = licenseNumber.trim()
  const hasNumber = number.replace(/[^a-z0-9]/gi, '').length >= 4
  const hasName = name.trim().length >= 3 && place.trim().length >= 3
  if (!hasNumber && !hasName) return null
  return { ...(hasNumber && { licenseNumber: number }), ...(hasName && { name: name.trim(), place: place.trim() }) }
}
