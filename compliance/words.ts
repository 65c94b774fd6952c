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

/** Text to screen, with the facts that decide which rules apply. */
export type Words = {
  kind: WritingKind
  /** The parts in page order: title, content. Some may be empty. */
  texts: readonly string[]
  postType?: string | undefined
  /** The business that publishes the text or owns the page. Null or omitted for personal text. */
  businessId?: string | null | undefined
  communityId?: string | null | undefined
}

/** Advertising for a business, restricted by age: promotions, products and events. */
export const isAdvertising = ({ kind, postType }: Pick<Words, 'kind' | 'postType'>): boolean =>
  kind === 'event' || (kind === 'post' && (postType === 'promotion' || postType === 'product'))
