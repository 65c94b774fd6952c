/** How a viewer stands to a business that is reviewed. */
export type Standing = { isMember: boolean; runsBusiness: boolean }

export const refusals = {
  visitor: 'Sign in to write a review.',
  unfinished: 'Finish setting up your account, then you can write a review.',
  own: 'You run this business, so you cannot review it.',
} as const

/** Why this viewer may not review the business; null when they may. `null` is a visitor; `isMember`: has completed onboarding. */
export function reviewRefusal(standing: Standing | null): string | null {
  if (standing === null) return refusals.visitor
  if (standing.runsBusiness) return refusals.own
  return standing.isMember ? null : refusals.unfinished
}

/** Why this viewer may not say that a review helped. */
export function helpfulRefusal({ isOwn, runsBusiness }: { isOwn: boolean; runsBusiness: boolean }): string | null {
  if (isOwn) return 'You cannot mark your own review as helpful.'
  return runsBusiness ? 'You run this business, so its reviews are for others to judge.' : null
}
