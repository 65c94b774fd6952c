import { type CorrectionKind, minVoterAgeHours } from '#contracts/corrections.endpoints.ts'
import { hourMs } from '#contracts/time.ts'

export type Voter = {
  isAuthor: boolean
  isTeam: boolean
  isMuted: boolean
  isBlockedByBusiness: boolean
  hasCompletedOnboarding: boolean
  memberSince: Date
}

/** Why a person can't vote on this kind of correction, or null if they can. */
export function voteRefusal(voter: Voter, kind: CorrectionKind, now: Date): string | null {
  if (voter.isAuthor) return 'You suggested this. Someone else has to confirm it.'
  if (voter.isTeam) {
    const who = permissionFor(kind) === 'closing' ? 'owner' : 'owner and managers'
    return `You help run this business. Only its ${who} can accept or reject this change.`
  }
  return strangerRefusal(voter) ?? (isNew(voter, now) ? 'You can confirm changes once your account is a day old.' : null)
}

/** Why a person can't suggest a correction, or null if they can. New accounts can, because others have to confirm it. */
export const suggestRefusal = (voter: Omit<Voter, 'isAuthor'>): string | null =>
  voter.isTeam ? 'You help run this business. Change it in your dashboard.' : strangerRefusal(voter)

function strangerRefusal(voter: Omit<Voter, 'isAuthor'>): string | null {
  if (voter.isMuted) return 'You can’t suggest or confirm changes while you’re muted.'
  if (voter.isBlockedByBusiness) return 'This business has blocked you.'
  return voter.hasCompletedOnboarding ? null : 'Finish setting up your account first.'
}

const isNew = ({ memberSince }: Voter, now: Date) => now.getTime() - memberSince.getTime() < minVoterAgeHours * hourMs

type Standing = {
  kind: CorrectionKind
  /** Someone runs the business, so they decide. */
  isClaimed: boolean
  agreeCount: number
  disagreeCount: number
}

/**
 * Whether members have settled a correction: a second person agrees and no one disagrees. A dispute waits for a moderator, and so does a
 * duplicate, because a merge can't be undone.
 */
export const isConfirmed = ({ kind, isClaimed, agreeCount, disagreeCount }: Standing): boolean =>
  kind !== 'duplicate' && !isClaimed && agreeCount > 0 && disagreeCount === 0

export const permissionFor = (kind: CorrectionKind): 'closing' | 'profile' =>
  kind === 'closed' || kind === 'open' || kind === 'duplicate' ? 'closing' : 'profile'
