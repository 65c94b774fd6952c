/**
 * Whether the team may change the name: only before the first review, subscriber or license, so a business can't take over another's
 * reviews. After that, only admins can correct a typo.
 */
export const isNameOpen = (business: {
  totalRatings: number
  subscriberCount: number
  licenses: readonly unknown[]
  verification: { status: string }
}): boolean =>
  business.totalRatings === 0 && business.subscriberCount === 0 && business.licenses.length === 0 && business.verification.status === 'none'
