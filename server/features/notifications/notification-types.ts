import type { BusinessType } from '#contracts/business-types.ts'
import { type NotificationType, notificationTypes } from '#contracts/notification-types.ts'
import type { NotifiedComment } from '#server/features/comments/index.ts'
import type { NotifiedCommunity } from '#server/features/communities/index.ts'
import type { NotifiedCorrection } from '#server/features/corrections/index.ts'
import { draftsPath } from '#server/features/drafts/index.ts'
import type { NotifiedEvent } from '#server/features/events/index.ts'
import type { NotifiedHunt } from '#server/features/hunts/index.ts'
import type { NotifiedDecision } from '#server/features/moderation/index.ts'
import type { NotifiedPost } from '#server/features/posts/index.ts'
import type { NotifiedReview } from '#server/features/reviews/index.ts'
import type { NotifiedSubject, PublicSubject } from '#server/kernel/notified-subject.ts'

/** What each feature returns about a subject of notifications that it owns. */
type FactsOf = {
  posts: NotifiedPost
  comments: NotifiedComment
  reviews: NotifiedReview
  hunts: NotifiedHunt
  communities: NotifiedCommunity
  events: NotifiedEvent
  corrections: NotifiedCorrection
  messages: null
  moderation: NotifiedDecision
  subscriptions: null
  verification: null
  connections: null
  drafts: null
  /** There is no subject to check: only blocks and mutes decide. */
  none: null
}
export type Owner = Exclude<keyof FactsOf, 'none'>
export type NotificationOwners = { [Name in Owner]: { shown: NotifiedSubject<FactsOf[Name]>; public?: PublicSubject } }

export type NotificationRow = {
  id: string
  type: NotificationType
  is_read: boolean
  created_at: Date
  /** From the feature that owns the type; see `FactsOf`. */
  facts: unknown
  post_id: string | null
  hunt_id: string | null
  conversation_id: string | null
  event_id: string | null
  moderation_action_id: string | null
  reason: string | null
  business_id: string | null
  business_slug: string | null
  business_name: string | null
  business_type: BusinessType | null
  business_image_id: string | null
  /** The latest actor the viewer may see, and the number of others. */
  actor_id: string | null
  display_name: string | null
  first_name: string | null
  last_name: string | null
  profile_moderation: string | null
  is_profile_public: boolean
  image_id: string | null
  others: number
}

type TextContext<Facts> = {
  facts: Facts
  row: NotificationRow
  business: string
  person: string
  /** The actors, or the business that acted: "Ann and 11 others". */
  who: string
}

type Words<Facts> = {
  /** A single line with the current names and titles. */
  title: (told: TextContext<Facts>) => string
  text?: (told: TextContext<Facts>) => string | null
  path: (told: TextContext<Facts>) => string
}

/**
 * Who acted, which determines the picture: a business, a person, either, or the site (moderators or the system), without a picture. A
 * notification of people's actions is shown only while its recipient may see at least one of these people.
 */
type Voice = 'business' | 'person' | 'either' | 'site'

type Traits = {
  /** Useless by tomorrow, so emailed immediately, even to people who get digests. */
  isUrgent: boolean
  /** Someone awaits a reply, so emailed immediately, unless the person prefers the digest. */
  isPrompt: boolean
  /** New text is worth another email and push. */
  isRepeated: boolean
}

type Description = Traits & { owner: keyof FactsOf; from: Voice; words: Words<unknown> }

function about<Name extends keyof FactsOf>(
  owner: Name,
  from: Voice,
  words: Words<FactsOf[Name]>,
  traits: Partial<Traits> = {},
): Description {
  // The feature that owns a row's type provides its facts.
  return { isUrgent: false, isPrompt: false, isRepeated: false, ...traits, owner, from, words: words as Words<unknown> }
}

const quoted = (text: string | null): string => `“${text ?? ''}”`
const postPath = ({ row }: TextContext<unknown>): string => `/post/${row.post_id}`
const commentPath = ({ row, facts: { commentId } }: TextContext<NotifiedComment>): string =>
  `/post/${row.post_id}${commentId === null ? '' : `#comment-${commentId}`}`
const reviewsPath = ({ row }: TextContext<unknown>): string => `/business/${row.business_slug}?tab=reviews#more`
const huntPath = ({ row }: TextContext<unknown>): string => `/pheno-hunt/${row.hunt_id}`
const communityPath = ({ facts: { slug } }: TextContext<NotifiedCommunity>): string => `/communities/${slug}`
const conversationPath = ({ row }: TextContext<unknown>): string => `/messages/${row.conversation_id}`
const eventPath = ({ row }: TextContext<unknown>): string => `/events/${row.event_id}`
const personPath = ({ row }: TextContext<unknown>): string => `/people/${row.actor_id}`
const businessPath = ({ row }: TextContext<unknown>): string => `/business/${row.business_slug}`
const decisionPath = ({ row }: TextContext<unknown>): string => accountStatusPath(row.moderation_action_id)
const licensePath = ({ row }: TextContext<unknown>): string => `/business-dashboard/license?business=${row.business_slug}`

/** The account status page, scrolled to a decision: see web/screens/account-status/own-decision-card.tsx. */
export const accountStatusPath = (actionId: string | null): string => (actionId === null ? '/standing' : `/standing#action-${actionId}`)

const excerpt = ({ facts }: TextContext<{ excerpt: string | null }>): string | null => facts.excerpt
const post = (title: (told: TextContext<NotifiedPost>) => string): Words<NotifiedPost> => ({ title, text: excerpt, path: postPath })
const license = (title: (business: string) => string) =>
  about('verification', 'business', { title: ({ business }) => title(business), path: licensePath })

const connection = (title: (business: string) => string) =>
  about('connections', 'site', {
    title: ({ business }) => title(business),
    text: ({ row }) => row.reason,
    path: ({ row }) => `/business-dashboard/menu/connections?business=${row.business_slug}`,
  })

const descriptions: Record<NotificationType, Description> = {
  business_post: about(
    'posts',
    'business',
    post(({ business, facts }) => `${business} posted ${quoted(facts.title)}`),
  ),
  farm_update: about(
    'posts',
    'business',
    post(({ business, facts }) => `${business} has an update: ${quoted(facts.title)}`),
  ),
  harvest_ready: about(
    'posts',
    'business',
    post(({ business, facts }) => `${business} has a harvest ready: ${quoted(facts.title)}`),
  ),
  person_post: about(
    'posts',
    'person',
    post(({ person, facts }) => `${person} posted ${quoted(facts.title)}`),
  ),
  // News about a menu names no product, because it may appear on a lock screen.
  new_product: about('posts', 'business', {
    title: ({ business, row, facts }) =>
      `${business} has something new${row.post_id === null ? ' on its menu' : `: ${quoted(facts.title)}`}`,
    text: excerpt,
    path: (told) => (told.row.post_id === null ? businessPath(told) : postPath(told)),
  }),
  product_update: about('posts', 'business', { title: ({ business }) => `${business} has menu news`, path: businessPath }),
  picture_missing: about('posts', 'site', {
    title: ({ business, row, facts }) =>
      row.post_id === null
        ? `The picture for ${business} couldn’t be loaded`
        : `The picture for your post ${quoted(facts.title)} couldn’t be loaded`,
    text: ({ row }) => row.reason,
    path: (told) => (told.row.post_id === null ? `/business-dashboard/profile?business=${told.row.business_slug}` : postPath(told)),
  }),
  draft_failed: about(
    'drafts',
    'site',
    {
      title: ({ business, row }) => `A scheduled post${row.business_slug === null ? '' : ` for ${business}`} wasn’t published`,
      text: ({ row }) => row.reason,
      path: ({ row }) => draftsPath(row.business_slug),
    },
    { isUrgent: true },
  ),
  like: about('posts', 'person', { title: ({ who, facts }) => `${who} liked ${quoted(facts.title)}`, path: postPath }),
  comment: about(
    'comments',
    'either',
    { title: ({ who, facts }) => `${who} commented on ${quoted(facts.postTitle)}`, text: excerpt, path: commentPath },
    { isRepeated: true },
  ),
  reply: about(
    'comments',
    'either',
    { title: ({ who, facts }) => `${who} replied to your comment on ${quoted(facts.postTitle)}`, text: excerpt, path: commentPath },
    { isRepeated: true },
  ),
  mention: about('posts', 'either', {
    title: ({ who, facts }) => `${who} mentioned you in ${quoted(facts.title)}`,
    text: excerpt,
    path: postPath,
  }),
  comment_mention: about('comments', 'either', {
    title: ({ who, facts }) => `${who} mentioned you in a comment on ${quoted(facts.postTitle)}`,
    text: excerpt,
    path: commentPath,
  }),
  answer_accepted: about('comments', 'person', {
    title: ({ person, facts }) => `${person} accepted your answer to ${quoted(facts.postTitle)}`,
    path: commentPath,
  }),
  follow: about('none', 'person', { title: ({ who }) => `${who} followed you`, path: personPath }),
  subscriber: about('subscriptions', 'person', {
    title: ({ who, business }) => `${who} subscribed to ${business}`,
    path: (told) => (told.row.others === 0 ? personPath(told) : businessPath(told)),
  }),
  review: about(
    'reviews',
    'person',
    { title: ({ who, business }) => `${who} reviewed ${business}`, text: ({ facts }) => facts.review, path: reviewsPath },
    { isRepeated: true },
  ),
  low_review: about(
    'reviews',
    'person',
    {
      title: ({ person, business, facts }) => `${person} gave ${business} ${facts.rating === 1 ? '1 star' : `${facts.rating} stars`}`,
      text: ({ facts }) => facts.review,
      path: reviewsPath,
    },
    { isPrompt: true },
  ),
  review_reply: about('reviews', 'business', {
    title: ({ business }) => `${business} replied to your review`,
    text: ({ facts }) => facts.reply,
    path: reviewsPath,
  }),
  helpful: about('reviews', 'person', {
    title: ({ who, business }) => `${who} found your review of ${business} helpful`,
    path: reviewsPath,
  }),
  license_verified: license((business) => `The license for ${business} is verified`),
  license_rejected: license((business) => `The license for ${business} couldn’t be verified`),
  webhook_stopped: connection((business) => `A webhook for ${business} was stopped`),
  menu_fetch_failed: connection((business) => `The menu for ${business} couldn’t be fetched`),
  menu_fetch_stopped: connection((business) => `The menu for ${business} is no longer being fetched`),
  license_expiring: license((business) => `The license for ${business} expires soon`),
  license_ended: license((business) => `The license for ${business} is no longer verified`),
  license_unproven: license((business) => `The license for ${business} needs one more step: prove you control it`),
  hunt_shared: about('hunts', 'person', {
    title: ({ person, facts }) => `${person} shared the hunt ${quoted(facts.name)} with you`,
    path: huntPath,
  }),
  hunt_comment: about(
    'hunts',
    'person',
    {
      title: ({ who, facts }) => `${who} commented on your hunt ${quoted(facts.name)}`,
      text: excerpt,
      path: (told) => `${huntPath(told)}?section=activity`,
    },
    { isRepeated: true },
  ),
  community_request: about('communities', 'person', {
    title: ({ who, facts }) => `${who} asked to join ${quoted(facts.name)}`,
    path: (told) => `${communityPath(told)}?section=manage`,
  }),
  community_joined: about('communities', 'site', {
    title: ({ facts }) => `You’re now a member of ${quoted(facts.name)}`,
    path: communityPath,
  }),
  community_invitation: about('communities', 'person', {
    title: ({ person, facts }) => `${person} invited you to ${quoted(facts.name)}`,
    path: communityPath,
  }),
  message: about(
    'messages',
    'either',
    { title: ({ who }) => `You have new messages from ${who}`, path: conversationPath },
    { isPrompt: true, isRepeated: true },
  ),
  message_request: about('messages', 'person', { title: ({ who }) => `${who} wants to message you`, path: conversationPath }),
  content_held: about('none', 'site', {
    title: () => 'Something you posted is waiting for review',
    text: ({ row }) => row.reason,
    path: () => accountStatusPath(null),
  }),
  moderation_notice: about('moderation', 'site', { title: ({ facts }) => decisionTitle(facts), path: decisionPath }),
  appeal_decided: about('moderation', 'site', {
    title: ({ facts }) =>
      facts.isOverturned ? 'Your appeal succeeded: the decision was reversed' : 'Your appeal was decided: the decision stands',
    path: decisionPath,
  }),
  new_event: about('events', 'business', {
    title: (told) => `${told.business} announced ${quoted(told.facts.title)}, ${whenWords(told)}`,
    path: eventPath,
  }),
  event_changed: about(
    'events',
    'business',
    {
      title: (told) =>
        `${quoted(told.facts.title)} by ${told.business} has a new time or place: ${[whenWords(told), told.facts.place].filter(Boolean).join(', ')}`,
      path: eventPath,
    },
    { isUrgent: true },
  ),
  event_canceled: about(
    'events',
    'business',
    {
      title: (told) => `${quoted(told.facts.title)} by ${told.business} on ${whenWords(told)} is canceled`,
      text: ({ facts }) => facts.cancelNote,
      path: eventPath,
    },
    { isUrgent: true },
  ),
  event_reminder: about(
    'events',
    'business',
    { title: (told) => `You’re going to ${quoted(told.facts.title)} by ${told.business}: ${whenWords(told)}`, path: eventPath },
    { isUrgent: true },
  ),
  correction_suggested: about('corrections', 'site', {
    title: ({ business, facts }) => `A member suggested a change to ${business}: ${correctionWords[facts.kind]}`,
    path: ({ row }) => `/business-dashboard?business=${row.business_slug}`,
  }),
  correction_settled: about('corrections', 'site', {
    title: ({ business, facts }) =>
      facts.state === 'rejected'
        ? `The change you suggested for ${business} was rejected`
        : `The change you suggested for ${business} was made`,
    text: ({ facts }) => (facts.state === 'undone' ? 'A moderator has since undone it.' : null),
    path: businessPath,
  }),
}

const correctionWords: Record<NotifiedCorrection['kind'], string> = {
  closed: 'it has closed for good',
  open: 'it’s open again',
  moved: 'a new address',
  phone: 'a new phone number',
  website: 'a new website',
  hours: 'new hours',
  duplicate: 'it’s listed twice',
}

export const descriptionOf = (type: NotificationType): Description => descriptions[type]

export const typesBy = (has: (description: Description) => boolean): NotificationType[] =>
  notificationTypes.filter((type) => has(descriptions[type]))

/** "Sat, Mar 20, 6:00 PM PDT": in the event's own time zone. */
function whenWords({ facts: { startsAt, timeZone }, row }: TextContext<NotifiedEvent>): string {
  const start = new Date(startsAt)
  return new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    ...(start.getUTCFullYear() === row.created_at.getUTCFullYear() ? {} : { year: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  }).format(start)
}

const subjectWords: Partial<Record<string, string>> = {
  hunt_comment: 'comment',
  person: 'profile',
  gallery_item: 'photo',
  product: 'menu item',
}

/** Names the kind of content, never its text. */
function decisionTitle({ action, subject, community, isUndone }: NotifiedDecision): string {
  const thing = `Your ${subjectWords[subject] ?? subject}`
  if (isUndone) return 'The moderators reversed a decision about you'
  switch (action) {
    case 'approve':
      return `${thing} was approved`
    case 'hide':
      return `${thing} was hidden by the moderators`
    case 'remove':
      return `${thing} was removed by the moderators`
    case 'mute':
      return `You can read but not write ${community ? `in ${community} ` : ''}for a while`
    case 'suspend':
      return 'Your account is suspended for a while'
    case 'ban':
      return community ? `You’ve been banned from ${community}` : 'Your account is banned'
    default:
      return `A warning from the moderators${community ? ` of ${community}` : ''}`
  }
}
