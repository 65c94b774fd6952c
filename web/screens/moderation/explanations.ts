import type { DecisionReason } from '#contracts/moderation.ts'
import { reasonOf, reportReasons } from '#contracts/report-reasons.ts'

const communityRules = 'It breaks this community’s rules.'

/** Starting point of an explanation: the rule in plain words for the author. Moderators add the rest. */
export const explanationStart = (reason: DecisionReason): string =>
  reason === 'community_rules' ? communityRules : reasonOf(reason).explanation

/** The explanation after switching reasons: replaces an unchanged starting point and keeps edited text. */
export function explanationFor(reason: DecisionReason, written: string): string {
  const isUntouched = written.trim() === '' || [...reportReasons.map(explanationStart), communityRules].includes(written)
  return isUntouched ? explanationStart(reason) : written
}
