import { useCurrentUser } from './current-user.ts'
import { getRegion } from './format.ts'
import { type Units, unitsOf } from './units.ts'

/** The signed-in person's units; for visitors, those of their device's region. */
export function useUnits(): Units {
  const preferences = useCurrentUser()?.preferences
  return unitsOf(preferences, preferences?.region ?? getRegion())
}
