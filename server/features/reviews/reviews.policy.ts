export type Reviewer = { isMember: boolean; runsBusiness: boolean }

export const refusals = {
  visitor: 'Sign in to write a review.',
  unfinished: 'Finish setting up your account to write a review.',
  own: 'You run this business, so you can’t review it.',
} as const

/** Why the viewer can't review the business, or null if they can. A null `reviewer` is a visitor; `isMember` means onboarded. */
export function reviewRefusal(reviewer: Reviewer | null): string | null {
  if (reviewer === null) return refusals.visitor
  if (reviewer.runsBusiness) return refusals.own
  return reviewer.isMember ? null : refusals.unfinished
}

export function helpfulRefusal({ isOwn, runsBusiness }: { isOwn: boolean; runsBusiness: boolean }): string | null {
  if (isOwn) return 'You can’t mark your own review as helpful.'
  return runsBusiness ? 'You run this business, so you can’t vote on its reviews.' : null
}
