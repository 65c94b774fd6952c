/** What members can correct in a listing. Without schemas, because the web app chooses among them. */
export const correctionKinds = ['closed', 'open', 'moved', 'phone', 'website', 'hours', 'duplicate'] as const
export type CorrectionKind = (typeof correctionKinds)[number]

/**
 * - `open`: waits for a second person, the owner or a moderator
 * - `applied`: the listing was changed
 * - `superseded`: another correction of the same kind was applied
 * - `undone`: a moderator restored what it had replaced
 */
export const correctionStates = ['open', 'applied', 'rejected', 'withdrawn', 'superseded', 'undone'] as const

/** An account must be this old before it can confirm corrections. */
export const minVoterAgeHours = 24
