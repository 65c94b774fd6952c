import { createHash } from 'node:crypto'
import { newId } from '#server/kernel/ids.ts'
import { addEvent } from './business-events.ts'
import { licensed } from './businesses.ts'
import { addCommunity } from './communities.ts'
import { grantPlan } from './entitlements.ts'
import { addHuntWorld, type HuntWorld } from './hunt-world.ts'
import { addListing } from './listings.ts'
import { addMedia } from './posts.ts'
import { addComment, addPost, addReview, followPerson, joinBusiness } from './social.ts'
import type { TestApp, TestPerson } from './test-app.ts'

/** People in a world besides its owner. */
export type Cast = {
  manager: string
  staff: string
  communityModerator: string
  grower: string
  /** Reviewed the business, is a member of the community, may view the hunt, and is the other participant in the conversation. */
  other: string
  /** Has asked to join the community, and is on the team of the business, which has blocked them. */
  requester: string
  outsider: string
  /** Invited to the team and the community. */
  invited: { id: string; email: string }
}

/** One of every entity that a path can refer to. Most of them belong to the owner. */
export type RoleWorld = {
  owner: string
  business: string
  community: string
  hunt: HuntWorld
  listing: string
  /** The value of `:id` in `/api/<collection>/:id` or `/api/<area>/<collection>/:id`. */
  ids: Record<string, string>
  /** The values of all other parameters. */
  params: Record<string, string>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64url')
let worlds = 0

/** Inserts everything directly, and makes one request as the owner, whose account must not be restricted yet. */
export async function addRoleWorld(t: TestApp, person: TestPerson, cast: Cast, isDemo = false): Promise<RoleWorld> {
  const { db } = t
  const { user } = person
  const now = t.clock.now()
  const later = new Date(now.getTime() + 7 * 86_400_000)
  const owner = user.id
  const number = ++worlds
  const add = async (table: string, row: object) => {
    const id = newId()
    await db
      .insertInto(table as 'media')
      .values({ id, ...row } as never)
      .execute()
    return id
  }
  const shop = { slug: `yard-${number}`, name: `Yard ${number}`, type: 'dispensary', location: 'Denver, CO', city: 'Denver', state: 'CO' }
  const business = await add('businesses', { ...shop, is_demo: isDemo, claimed_at: now, license_standing: 'listed', ...licensed })
  await joinBusiness(db, owner, business)
  // Hunts can be shared only with people who follow the owner or whom the owner follows.
  await followPerson(db, cast.other, owner)
  await followPerson(db, cast.outsider, owner)
  const team = [
    { user_id: cast.manager, role: 'manager' as const },
    { user_id: cast.staff, role: 'staff' as const },
    { user_id: cast.requester, role: 'staff' as const },
  ]
  await db
    .insertInto('business_members')
    .values(team.map((each) => ({ ...each, business_id: business })))
    .execute()
  const group = await add('business_groups', { owner_id: owner, name: `Yards ${number}`, created_at: now })
  await db
    .updateTable('business_members')
    .set({ group_id: group })
    .where('business_id', '=', business)
    .where('role', '=', 'owner')
    .execute()
  const place = { business_id: business, time_zone: 'America/Denver', location: 'Denver, CO' }
  await db
    .insertInto('locations')
    .values({ ...place, id: business, name: 'Main' })
    .execute()
  const location = await add('locations', { ...place, name: 'Second' })
  const item = await add('products', { business_id: business, name: 'Gummies', low_price_cents: 1250 })
  await add('product_variants', { business_id: business, product_id: item, position: 0, price_cents: 1250 })
  const upload = { business_id: business, user_id: owner, file_name: 'menu.csv', byte_size: 10 }
  const menuImport = await add('menu_imports', { ...upload, status: 'receiving' })
  const key = await add('business_keys', {
    ...{ business_id: business, created_by: owner, name: 'Register', scopes: ['menu:read'], created_at: now },
    ...{ secret_hash: sha256(`key-${number}`), secret_end: 'abcd' },
  })
  const webhook = await add('webhooks', {
    ...{ business_id: business, created_by: owner, url: 'https://pos.example/hook', events: ['review.created'], created_at: now },
    sealed_secret: 'sealed',
  })
  await add('menu_sources', {
    ...{ business_id: business, created_by: owner, url: 'https://pos.example/menu.csv', auth: 'none', schedule: 'manual', created_at: now },
  })
  const delivery = await add('webhook_deliveries', {
    ...{ webhook_id: webhook, event: 'review.created', event_key: 'review', payload: '{}', state: 'failed', created_at: now },
  })
  const teamToken = `team-${number}`
  const teamInvitation = await add('team_invitations', {
    ...{ business_id: business, email: cast.invited.email, role: 'staff', invited_by: owner },
    ...{ created_at: now, expires_at: later, token_hash: sha256(teamToken) },
  })
  await db.insertInto('business_person_blocks').values({ business_id: business, person_id: cast.requester, blocked_by: owner }).execute()
  const event = await addEvent(db, business, { created_by: owner })
  await db.insertInto('event_rsvps').values({ event_id: event, user_id: cast.other, created_at: now }).execute()
  await db.updateTable('events').set({ going_count: 1 }).where('id', '=', event).execute()
  const review = await addReview(db, { business_id: business, user_id: cast.other, review: 'Good' })
  await db
    .updateTable('businesses')
    .set({ rating_counts: [0, 0, 0, 0, 1], total_ratings: 1, rating_sum: 5 })
    .where('id', '=', business)
    .execute()

  const post = await addPost(db, { author_id: owner, business_id: business })
  const comment = await addComment(db, { post_id: post, author_id: owner })
  await db.updateTable('posts').set({ comments_count: 1 }).where('id', '=', post).execute()
  const draft = await add('post_drafts', { author_id: owner, business_id: business, title: 'Later', content: 'Words', status: 'draft' })
  const { id: media } = await addMedia(db, owner)

  const members = { owner, moderators: [cast.communityModerator], members: [cast.other] }
  const { id: community } = await addCommunity(db, members, { is_demo: isDemo, name: `Growers ${number}`, post_count: 1 })
  await db.insertInto('community_requests').values({ community_id: community, user_id: cast.requester }).execute()
  const linkToken = `link-${number}`
  const link = { community_id: community, invited_by: owner, expires_at: later }
  const communityInvitation = await add('community_invitations', { ...link, token_hash: sha256(linkToken) })
  const ownInvitation = await add('community_invitations', { ...link, invited_id: cast.invited.id })
  const communityPost = await addPost(db, { author_id: owner, community_id: community, post_type: 'question' })
  await db.insertInto('polls').values({ post_id: communityPost, closes_at: later }).execute()
  await db
    .insertInto('poll_options')
    .values([0, 1].map((position) => ({ post_id: communityPost, position, label: `Option ${position}` })))
    .execute()
  const answer = await addComment(db, { post_id: communityPost, author_id: cast.other })
  await db.updateTable('posts').set({ comments_count: 1, accepted_comment_id: answer }).where('id', '=', communityPost).execute()

  const pair = [owner, cast.other].sort()
  const conversation = await add('conversations', {
    ...{ person_id: pair[0], other_id: pair[1], started_by: cast.other, accepted_at: now, last_sequence: 1, last_message_at: now },
  })
  await db
    .insertInto('conversation_sides')
    .values([owner, cast.other].map((user_id) => ({ conversation_id: conversation, user_id, last_message_at: now })))
    .execute()
  const message = await add('messages', {
    conversation_id: conversation,
    sequence: 1,
    sender_id: owner,
    recipient_id: cast.other,
    content: 'Hi',
  })
  const notification = await add('notifications', { user_id: owner, type: 'follow', group_key: 'follow', actor_id: cast.other })

  const { id: listing } = await addListing(db, { name: `Listing of ${number}`, number: `402R-9${number}` })
  const { id: claimed } = await addListing(db, { name: `Claimed ${number}`, number: `402R-8${number}` })
  const claim = await add('claims', {
    ...{ business_id: claimed, user_id: owner, method: 'review', status: 'open', statement: 'Mine', created_at: now },
  })
  const correction = await add('corrections', {
    ...{ business_id: listing, user_id: owner, kind: 'closed', value: JSON.stringify({ kind: 'closed' }), value_key: '', created_at: now },
  })
  // Only accounts at least a day old can confirm corrections.
  await db
    .updateTable('users')
    .set({ created_at: new Date(now.getTime() - 2 * 86_400_000) })
    .execute()
  const verification = await add('license_verifications', {
    ...{ business_id: business, license_number: '402R-1', license_number_key: `402R1${number}`, state: 'CO', license_name: 'Yard' },
    ...{ business_type: 'dispensary', match: 'full', status: 'pending', requested_by: owner, created_at: now, updated_at: now },
  })

  const about = { subject: 'comment', subject_id: answer, user_id: cast.other, community_id: community }
  const openCase = await add('moderation_cases', { ...about, source: 'report', reports_count: 1, reason: 'spam', is_for_site: false })
  await add('reports', { reporter_id: cast.requester, subject: 'comment', subject_id: answer, reason: 'spam', case_id: openCase })
  const ofCommunity = await add('moderation_actions', { ...about, action: 'warn', reason: 'spam', moderator_id: owner })
  const ofSite = { subject: 'post', subject_id: post, user_id: owner, action: 'warn', reason: 'spam', moderator_id: cast.other }
  const action = await add('moderation_actions', ofSite)
  const appealed = await add('moderation_actions', ofSite)
  const appeal = await add('moderation_appeals', { action_id: appealed, user_id: owner, content: 'No', moderator_id: cast.other })

  await grantPlan(db, { userId: owner, businessId: business, planId: 'verified' })
  const agreement = await grantPlan(db, { userId: owner, planId: 'starter' })
  const checkout = await add('checkouts', {
    ...{ user_id: owner, plan_id: 'pro', provider: 'test', title: 'Pro', amount_cents: 15_000, currency: 'USD', status: 'open' },
    expires_at: later,
  })
  const invoice = { user_id: cast.other, provider: 'invoice', title: 'By invoice', currency: 'USD', status: 'open', expires_at: later }
  const siteInvoice = await add('checkouts', { ...invoice, plan_id: 'pro', amount_cents: 15_000 })
  const account = await add('business_payment_accounts', {
    ...{ business_id: business, provider: 'invoice', connected_by: owner, instructions: 'To me', connected_at: now },
  })
  const shopInvoice = await add('checkouts', { ...invoice, subscribe_to: business, account_id: account, amount_cents: 500 })
  const payment = await add('payments', {
    ...{ agreement_id: agreement, provider: 'invoice', provider_payment_id: `paid-${number}`, amount_cents: 7500, currency: 'USD' },
    ...{ status: 'paid', paid_at: now },
  })
  const shopPayment = await add('payments', {
    ...{ agreement_id: agreement, account_id: account, provider: 'invoice', provider_payment_id: `to-shop-${number}` },
    ...{ amount_cents: 500, currency: 'USD', status: 'paid', paid_at: now },
  })
  const exported = await add('data_exports', {
    user_id: owner,
    status: 'ready',
    requested_at: now,
    ready_at: now,
    expires_at: later,
    byte_size: 10,
  })
  const session = await add('sessions', { user_id: owner, token: `another-${number}`, expires_at: later })
  const passkey = await add('passkeys', {
    ...{ user_id: owner, credential_id: `key-${number}`, public_key: 'AA', counter: 0, transports: [], aaguid: newId() },
    ...{ is_syncable: false, is_synced: false, name: 'Phone', created_at: now },
  })
  const personKey = await add('person_keys', {
    ...{ user_id: owner, name: 'Tablet', scopes: ['hunts:read'], created_at: now },
    ...{ secret_hash: sha256(`person-key-${number}`), secret_end: 'abcd' },
  })
  const cardToken = `card${String(number).padStart(28, '0')}`
  const managed = await t.request('GET', `/api/businesses/${business}/page-extras/managed`, person)
  const { galleryVersion } = managed.json() as { galleryVersion: string }
  const hunt = await addHuntWorld(db, 'Plain words', { owner, viewer: cast.other, writer: cast.grower })
  const jars = db
    .selectFrom('panel_jars')
    .select('id')
    .where('panel_id', '=', hunt.ids['blind-panels'] as string)
  await db
    .updateTable('panel_cards')
    .set({ token_hash: sha256(cardToken) })
    .where('jar_id', 'in', jars)
    .execute()
  if (isDemo) await db.updateTable('hunts').set({ is_demo: true }).where('id', '=', hunt.hunt).execute()

  return {
    owner,
    business,
    community,
    hunt,
    listing,
    ids: {
      ...hunt.ids,
      ...{
        groups: group,
        businesses: business,
        'pheno-hunts': hunt.hunt,
        communities: community,
        events: event,
        ratings: review,
        people: owner,
      },
      ...{ posts: post, comments: comment, 'community-posts': communityPost, drafts: draft, media, conversations: conversation },
      ...{
        products: item,
        messages: message,
        notifications: notification,
        claims: claim,
        corrections: correction,
        verifications: verification,
      },
      ...{
        cases: openCase,
        actions: action,
        'checkouts/:id/answers': checkout,
        appeals: appeal,
        agreements: agreement,
        checkouts: checkout,
        payments: payment,
      },
      ...{ 'actions/:id/undo': ofCommunity, exports: exported, sessions: session, passkeys: passkey, keys: personKey },
    },
    params: {
      ...{
        locationId: location,
        importId: menuImport,
        keyId: key,
        webhookId: webhook,
        deliveryId: delivery,
        itemId: item,
        answerId: answer,
        businessId: business,
        paymentId: shopPayment,
        provider: 'paypal',
      },
      ...{ userId: cast.requester, code: hunt.plantCode, number: '1', stage: 'flower', measure: 'vpdKpa' },
      ...{
        linkToken,
        galleryVersion,
        ownInvitation,
        teamToken,
        cardToken,
        teamInvitation,
        communityName: `Growers ${number}`,
        outsider: cast.outsider,
      },
      ...{ communityInvitation, siteInvoice, shopInvoice, hash: 'a'.repeat(64), other: cast.other, requester: cast.requester },
    },
  }
}
