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

/** Rule topics, shared by data/compliance-rules.json, moderation cases and API responses. */
export const topics = [
  'health',
  'giveaway',
  'sale',
  'phone',
  'link',
  'repeat',
  'minors',
  'license_number',
  'age_notice',
  'license',
] as const
export type Topic = (typeof topics)[number]

/**
 * `refuse`: can't be published as is. `hold`: published after a moderator's review. `advise`: published, with a note to the author about
 * the rule.
 */
export type Effect = 'hold' | 'refuse' | 'advise'

/** A finding in a text. `start` and `end` are UTF-16 offsets, equal if something is missing. */
export type Finding = { rule: Topic; effect: Effect; start: number; end: number }
