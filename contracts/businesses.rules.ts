/**
 * Whether the team may still change the name: it has no reviews, no subscribers and no license. Otherwise a business could take over
 * another's reviews, so only admins can correct a typo.
 */
export const isNameOpen = (business: {
  totalRatings: number
  subscriberCount: number
  licenses: readonly unknown[]
  verification: { status: string }
}): boolean =>
  business.totalRatings === 0 && business.subscriberCount === 0 && business.licenses.length === 0 && business.verification.status === 'none'
