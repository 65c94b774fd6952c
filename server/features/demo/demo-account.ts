import { type RawBuilder, sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { Endpoint } from '#contracts/endpoint.ts'
import { compileOnce } from '#server/db/compile-once.ts'
import type { Db } from '#server/db/connect.ts'
import type { DemoGate } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'

type Input = { params: Readonly<Record<string, unknown>>; body: Readonly<Record<string, unknown>> }
type Check = (db: Db, id: string) => Promise<boolean>

/** Limited to the account's own data, or that of its teams and hunts, by the endpoint's own authorization. */
const own = 'own'
type Rule = typeof own | { is: Check; id: (input: Input) => unknown }

function isDemo(select: (id: RawBuilder<string>) => RawBuilder<unknown>): Check {
  const read = compileOnce<{ id: string }, object>(
    ['id'],
    (_db, { id }) => sql<object>`select from (${select(id)}) as subject where is_demo`,
  )
  return async (db, id) => (await read(db, { id })).length > 0
}
const itself = (table: 'users' | 'communities' | 'hunts') =>
  isDemo((id) => sql`select is_demo from ${sql.table(table)} where id = ${id}::uuid`)
const ofBusiness = (table: 'reviews' | 'events') =>
  isDemo(
    (id) => sql`
      select businesses.is_demo from ${sql.table(table)} as thing join businesses on businesses.id = thing.business_id
      where thing.id = ${id}::uuid`,
  )

const demoPerson = itself('users')
const demoCommunity = itself('communities')
const demoHunt = itself('hunts')
const demoRating = ofBusiness('reviews')
const demoEvent = ofBusiness('events')
const demoBusinessById = isDemo((id) => sql`select is_demo from businesses where id = ${id}::uuid`)
const demoBusinessBySlug = isDemo((id) => sql`select is_demo from businesses where slug = ${id}`)
const demoBusiness: Check = (db, id) => (isUuid(id) ? demoBusinessById : demoBusinessBySlug)(db, id)
/** Checks the post's community if it has one, otherwise its business, otherwise its author. */
const demoPost = isDemo(
  (id) => sql`
    select coalesce(communities.is_demo, businesses.is_demo, users.is_demo) as is_demo
    from posts
      left join businesses on businesses.id = posts.business_id
      left join communities on communities.id = posts.community_id
      left join users on users.id = posts.author_id
    where posts.id = ${id}::uuid`,
)
/** All participants are demo accounts: real people's replies would land in an inbox that anyone can open. */
const demoConversation = isDemo(
  (id) => sql`
    select coalesce(one.is_demo, true) and coalesce(other.is_demo, true) and coalesce(businesses.is_demo, true) as is_demo
    from conversations
      left join users one on one.id = conversations.person_id
      left join users other on other.id = conversations.other_id
      left join businesses on businesses.id = conversations.business_id
    where conversations.id = ${id}::uuid`,
)

const ofParam = (is: Check): Rule => ({ is, id: ({ params }) => params.id })
const ofBody = (is: Check, field: string): Rule => ({ is, id: ({ body }) => body[field] })

/**
 * Lists what a demo account may do. Everyone knows its password, so it must not affect real people: it never changes how people
 * sign in to it, never exports data, never files reports and never touches real content. A write that isn't listed here is
 * refused.
 */
export const demoRules: Readonly<Record<string, Rule>> = {
  'PUT /api/businesses/:id/follow': ofParam(demoBusiness),
  'DELETE /api/businesses/:id/follow': own,
  'PUT /api/businesses/:id/rating': ofParam(demoBusiness),
  'DELETE /api/businesses/:id/rating': own,
  'PUT /api/ratings/:id/helpful': ofParam(demoRating),
  'DELETE /api/ratings/:id/helpful': own,
  'PUT /api/ratings/:id/reply': own,
  'DELETE /api/ratings/:id/reply': own,
  'POST /api/favorites': ofBody(demoBusiness, 'businessId'),
  'DELETE /api/favorites/:businessId': own,
  'POST /api/subscriptions': ofBody(demoBusiness, 'businessId'),
  'DELETE /api/subscriptions/:businessId': own,
  'PUT /api/people/:id/follow': ofParam(demoPerson),
  'DELETE /api/people/:id/follow': own,
  'PUT /api/people/:id/mute': ofParam(demoPerson),
  'DELETE /api/people/:id/mute': own,
  'PUT /api/businesses/:id/mute': ofParam(demoBusiness),
  'DELETE /api/businesses/:id/mute': own,

  'POST /api/posts': own,
  'PATCH /api/posts/:id': own,
  'DELETE /api/posts/:id': own,
  'POST /api/posts/:id/like': ofParam(demoPost),
  'PUT /api/posts/:id/like': ofParam(demoPost),
  'DELETE /api/posts/:id/like': own,
  'PUT /api/posts/:id/save': ofParam(demoPost),
  'DELETE /api/posts/:id/save': own,
  'PUT /api/posts/:id/hidden': ofParam(demoPost),
  'DELETE /api/posts/:id/hidden': own,
  'POST /api/posts/:id/comments': ofParam(demoPost),
  'PATCH /api/comments/:id': own,
  'DELETE /api/comments/:id': own,
  'POST /api/drafts': own,
  'PATCH /api/drafts/:id': own,
  'DELETE /api/drafts/:id': own,
  'POST /api/drafts/:id/publish': own,
  'PUT /api/drafts/:id/schedule': own,
  'DELETE /api/drafts/:id/schedule': own,
  'POST /api/media': own,
  'PUT /api/media/:id/bytes': own,
  'PATCH /api/media/:id': own,
  'DELETE /api/media/:id': own,

  'POST /api/businesses/:id/events': ofParam(demoBusiness),
  'PUT /api/events/:id': ofParam(demoEvent),
  'PUT /api/events/:id/cancellation': ofParam(demoEvent),
  'DELETE /api/events/:id': ofParam(demoEvent),
  'PUT /api/events/:id/rsvp': ofParam(demoEvent),
  'DELETE /api/events/:id/rsvp': own,

  'POST /api/communities/:id/join': ofParam(demoCommunity),
  'DELETE /api/communities/:id/membership': own,
  'POST /api/community-posts': ofBody(demoCommunity, 'communityId'),
  'PUT /api/community-posts/:id/vote': ofParam(demoPost),
  'DELETE /api/community-posts/:id/vote': own,
  'PUT /api/community-posts/:id/accepted-answer': ofParam(demoPost),
  'DELETE /api/community-posts/:id/accepted-answer': ofParam(demoPost),
  'PUT /api/community-posts/:id/pin': ofParam(demoPost),
  'DELETE /api/community-posts/:id/pin': ofParam(demoPost),

  'POST /api/conversations': {
    is: async (db, id) => (await demoPerson(db, id)) || demoBusiness(db, id),
    id: ({ body }) => (body.to as { id?: unknown } | undefined)?.id,
  },
  'POST /api/conversations/:id/messages': ofParam(demoConversation),
  'POST /api/conversations/:id/typing': ofParam(demoConversation),
  'POST /api/conversations/:id/accept': ofParam(demoConversation),
  'POST /api/conversations/:id/decline': own,
  'POST /api/conversations/:id/read': own,
  'PUT /api/conversations/:id/mute': own,
  'DELETE /api/conversations/:id/mute': own,
  'DELETE /api/conversations/:id': own,
  'DELETE /api/messages/:id': own,

  // Content created by a demo account is demo content.
  'POST /api/businesses': own,
  'PATCH /api/businesses/:id': ofParam(demoBusiness),
  'PUT /api/businesses/:id/gallery': ofParam(demoBusiness),
  'PATCH /api/businesses/:id/social-links': ofParam(demoBusiness),
  'POST /api/businesses/:id/locations': ofParam(demoBusiness),
  'PUT /api/businesses/:id/locations/:locationId': ofParam(demoBusiness),
  'DELETE /api/businesses/:id/locations/:locationId': ofParam(demoBusiness),
  'POST /api/businesses/:id/menu-items': ofParam(demoBusiness),
  'PATCH /api/businesses/:id/menu-items': ofParam(demoBusiness),
  'POST /api/businesses/:id/menu-items/removals': ofParam(demoBusiness),
  'POST /api/businesses/:id/menu-confirmations': ofParam(demoBusiness),
  'PUT /api/businesses/:id/menu-settings': ofParam(demoBusiness),
  'PUT /api/businesses/:id/menu-sharing': ofParam(demoBusiness),
  'POST /api/businesses/:id/menu-imports': ofParam(demoBusiness),
  'PUT /api/businesses/:id/menu-imports/:importId/bytes': ofParam(demoBusiness),
  'PUT /api/businesses/:id/menu-imports/:importId/mapping': ofParam(demoBusiness),
  'POST /api/businesses/:id/menu-imports/:importId/start': ofParam(demoBusiness),
  'POST /api/businesses/:id/menu-imports/:importId/undo': ofParam(demoBusiness),
  'POST /api/businesses/:id/keys': ofParam(demoBusiness),
  'DELETE /api/businesses/:id/keys/:keyId': ofParam(demoBusiness),
  'PUT /api/businesses/:id/menu-source': ofParam(demoBusiness),
  'POST /api/businesses/:id/menu-source/fetches': ofParam(demoBusiness),
  'DELETE /api/businesses/:id/menu-source': ofParam(demoBusiness),
  'POST /api/businesses/:id/webhooks': ofParam(demoBusiness),
  'PATCH /api/businesses/:id/webhooks/:webhookId': ofParam(demoBusiness),
  'DELETE /api/businesses/:id/webhooks/:webhookId': ofParam(demoBusiness),
  'POST /api/businesses/:id/webhooks/:webhookId/rotations': ofParam(demoBusiness),
  'POST /api/businesses/:id/webhooks/:webhookId/tests': ofParam(demoBusiness),
  'POST /api/businesses/:id/webhooks/:webhookId/deliveries/:deliveryId/resends': ofParam(demoBusiness),
  'PUT /api/businesses/:id/subscription-offer': ofParam(demoBusiness),

  'PATCH /api/pheno-hunts/:id': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/certificates': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/clones': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/comments': ofParam(demoHunt),
  'PUT /api/pheno-hunts/:id/completion': ofParam(demoHunt),
  'DELETE /api/pheno-hunts/:id/completion': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/decisions': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/harvests': ofParam(demoHunt),
  'DELETE /api/pheno-hunts/:id/lab-results': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/lab-results': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/observations': ofParam(demoHunt),
  'PATCH /api/pheno-hunts/:id/plants': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/plants/end': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/plants/revive': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/runs': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/seed-lots': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/seeds': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/sexes': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/tasks': ofParam(demoHunt),
  'PUT /api/pheno-hunts/:id/trait-order': ofParam(demoHunt),
  'POST /api/pheno-hunts/:id/traits': ofParam(demoHunt),
  'PUT /api/pheno-hunts/:id/weights': ofParam(demoHunt),
  'PUT /api/pheno-hunts/:id/observation-runs': ofParam(demoHunt),
  'PUT /api/pheno-hunts/:id/climate/targets/:stage/:measure': ofParam(demoHunt),
  'DELETE /api/pheno-hunts/:id/climate/targets/:stage/:measure': ofParam(demoHunt),
  'POST /api/grow-logs': ofBody(demoHunt, 'huntId'),
  'POST /api/grow-logs/batch': ofBody(demoHunt, 'huntId'),
  'PATCH /api/grow-tasks/:id': own,
  'PUT /api/grow-tasks/:id/done': own,
  'DELETE /api/grow-tasks/:id/done': own,

  'POST /api/ai/onboarding': own,
  'PATCH /api/ai/progress': own,
  'POST /api/ai/questions': own,
  'POST /api/notifications/:id/read': own,
  'POST /api/notifications/mark-all-read': own,
  'PUT /api/user/age-confirmation': own,
  'PATCH /api/user/preferences': own,
  'PATCH /api/notification-preferences': own,
  'PUT /api/notification-preferences/device-time-zone': own,
  'PATCH /api/message-settings': own,
  // Checkout itself refuses demo accounts, except in test mode.
  'POST /api/billing/checkouts': own,
}

const demoOnly = () =>
  new AppError('forbidden', { message: 'Demo accounts only work with demo content. Create your own account to do this.' })

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Public endpoints such as sign-in don't act as the demo account. */
const needsAccount = ({ access }: Endpoint) => access !== 'public'

export function createDemoGate(db: Db): DemoGate {
  return {
    requireListed(endpoint) {
      if (needsAccount(endpoint) && !Object.hasOwn(demoRules, nameOf(endpoint))) throw demoOnly()
    },
    async requireDemoSubject(endpoint, { params, body }) {
      const rule = demoRules[nameOf(endpoint)]
      if (!needsAccount(endpoint) || rule === own) return
      const id = rule?.id({ params: (params ?? {}) as Input['params'], body: (body ?? {}) as Input['body'] })
      if (!rule || typeof id !== 'string' || !(await rule.is(db, id))) throw demoOnly()
    },
  }
}
