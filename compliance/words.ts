/** Where words are written. */
const writingKinds = [
  'post',
  'community_post',
  'comment',
  'review',
  'review_reply',
  'hunt_comment',
  'community',
  'business_profile',
  'menu_item',
  'hunt',
  'profile',
  'event',
  'event_note',
] as const
export type WritingKind = (typeof writingKinds)[number]

/** What somebody wrote, with what decides about the rules for it. */
export type Words = {
  kind: WritingKind
  /** The parts of it, in the order of the page: title, content. Empty ones may be among them. */
  texts: readonly string[]
  postType?: string | undefined
  /** The business that speaks, or whose page it is. Null or not given: the person speaks. */
  businessId?: string | null | undefined
  communityId?: string | null | undefined
}

/** What advertises for a business, to people of age: promotions, products and events. */
export const isAdvertising = ({ kind, postType }: Pick<Words, 'kind' | 'postType'>): boolean =>
  kind === 'event' || (kind === 'post' && (postType === 'promotion' || postType === 'product'))
