import { sql } from 'kysely'
import { expect } from 'vitest'
import { planTable } from '#contracts/entitlements.ts'
import { newId } from '#server/kernel/ids.ts'
import { addEvent } from './business-events.ts'
import { addBusiness } from './businesses.ts'
import { addCommunity } from './communities.ts'
import { addGalleryItem } from './galleries.ts'
import { addHuntWorld } from './hunt-world.ts'
import { addHunt } from './hunts.ts'
import { addStoredPicture, recordMediaUses } from './media-uses.ts'
import { messagesOf } from './messages.ts'
import { addModeratorWork } from './moderator-work.ts'
import { addGroups } from './social.ts'
import type { TestApp, TestPerson } from './test-app.ts'

export type Life = {
  post: string
  emptied: string
  thread: string
  hunt: string
  othersHunt: string
  media: string[]
  shownByBusiness: string[]
}

/**
 * A person who has used every feature, so every table that can refer to a person has a row about them. `around`: the people
 * they interacted with. Uses the API where counters are involved, and inserts directly elsewhere.
 */
export async function addLife(test: TestApp, person: TestPerson, around: { friend: TestPerson; reader: TestPerson }): Promise<Life> {
  const { db } = test
  const { friend, reader } = around
  const me = person.user.id
  const now = test.clock.now()
  const later = new Date(now.getTime() + 30 * 86_400_000)
  const call = async (method: 'PUT' | 'POST' | 'DELETE', url: string, as: TestPerson, payload?: object) => {
    const answer = await test.request(method, url, as, payload)
    expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBeLessThan(300)
    return answer.body === '' ? {} : answer.json()
  }
  const upload = () => addStoredPicture(test.ctx, me)
  const [shop, other] = [await addBusiness(db), await addBusiness(db)]

  // Follows, favorites, mutes and blocks.
  await call('PUT', `/api/people/${friend.user.id}/follow`, person)
  await call('PUT', `/api/people/${me}/follow`, friend)
  await call('PUT', `/api/people/${me}/follow`, reader)
  await call('PUT', `/api/people/${reader.user.id}/follow`, friend)
  await call('POST', '/api/subscriptions', person, { businessId: shop.id })
  await call('PUT', `/api/businesses/${other.id}/follow`, person)
  const former = await addBusiness(db)
  await call('PUT', `/api/businesses/${former.id}/follow`, person)
  await call('DELETE', `/api/businesses/${former.id}/follow`, person)
  await db.insertInto('favorites').values({ id: newId(), user_id: me, business_id: shop.id }).execute()
  await db
    .insertInto('person_mutes')
    .values([
      { user_id: me, muted_id: reader.user.id },
      { user_id: reader.user.id, muted_id: me },
    ])
    .execute()
  await db.insertInto('business_mutes').values({ user_id: me, business_id: other.id }).execute()
  await db
    .insertInto('person_blocks')
    .values({ blocker_id: me, blocked_id: (await test.signUp()).user.id })
    .execute()
  await db
    .insertInto('person_blocks')
    .values({ blocker_id: (await test.signUp()).user.id, blocked_id: me })
    .execute()
  await db
    .insertInto('business_blocks')
    .values({ user_id: me, business_id: (await addBusiness(db)).id })
    .execute()
  await db
    .insertInto('business_person_blocks')
    .values([
      { business_id: other.id, person_id: me, blocked_by: friend.user.id },
      { business_id: shop.id, person_id: friend.user.id, blocked_by: me },
    ])
    .execute()

  // Posts, comments and reviews.
  const media = [await upload(), await upload(), await upload(), await upload()] as [string, string, string, string]
  const write = (as: TestPerson, more: object = {}) =>
    call('POST', '/api/posts', as, { title: 'About soil', content: 'It is alive.', ...more })
  const post = (await write(person, { mediaIds: [media[0]] })).id as string
  const emptied = (await write(person)).id as string
  const friendsPost = (await write(friend)).id as string
  const comment = (as: TestPerson, postId: string, parentId: string | null = null) =>
    call('POST', `/api/posts/${postId}/comments`, as, { content: 'Well said.', parentId })
  await comment(friend, emptied)
  const thread = (await comment(person, friendsPost)).id as string
  await comment(friend, friendsPost, thread)
  await comment(person, friendsPost)
  await call('PUT', `/api/posts/${friendsPost}/like`, person)
  await call('PUT', `/api/posts/${post}/like`, friend)
  await call('PUT', `/api/posts/${friendsPost}/like`, reader)
  for (const list of ['save', 'hidden']) await call('PUT', `/api/posts/${friendsPost}/${list}`, person)
  await db
    .insertInto('mentions')
    .values([
      { post_id: post, person_id: friend.user.id, start: 0, length: 5 },
      { post_id: friendsPost, person_id: me, start: 0, length: 5 },
    ])
    .execute()
  await call('PUT', `/api/businesses/${shop.id}/rating`, person, { rating: 4, review: 'Friendly.', photoIds: [await upload()] })
  const friendsReview = (await call('PUT', `/api/businesses/${shop.id}/rating`, friend, { rating: 2, review: 'Slow.' })).own.id as string
  await call('PUT', `/api/ratings/${friendsReview}/helpful`, person)
  const draft = newId()
  await db.insertInto('post_drafts').values({ id: draft, author_id: me, title: 'Later', content: 'Not yet.' }).execute()
  await db.insertInto('post_draft_media').values({ draft_id: draft, position: 0, media_id: media[1] }).execute()
  await db.updateTable('users').set({ image_id: media[2] }).where('id', '=', me).execute()
  await recordMediaUses(db, 'draft', draft)
  await recordMediaUses(db, 'person', me)

  // Communities.
  const community = await addCommunity(db, { owner: friend.user.id, members: [me, reader.user.id] })
  const rooms = await Promise.all([1, 2, 3].map(() => addCommunity(db, { owner: friend.user.id })))
  const [asked, banned, muted] = rooms.map(({ id }) => id) as [string, string, string]
  await db.insertInto('community_requests').values({ community_id: asked, user_id: me, message: 'May I?' }).execute()
  await db.insertInto('community_bans').values({ community_id: banned, user_id: me }).execute()
  await db.insertInto('community_mutes').values({ community_id: muted, user_id: me, ends_at: later }).execute()
  await db
    .insertInto('community_invitations')
    .values({ id: newId(), community_id: community.id, invited_by: me, invited_id: reader.user.id, expires_at: later })
    .execute()
  await db
    .insertInto('community_invitations')
    .values([
      { id: newId(), community_id: asked, invited_by: friend.user.id, invited_id: me, expires_at: later },
      { id: newId(), community_id: muted, invited_by: friend.user.id, token_hash: newId(), expires_at: later, used_by: me, used_at: now },
    ])
    .execute()
  await db.updateTable('communities').set({ created_by: me }).where('id', '=', asked).execute()
  const poll = (as: TestPerson) =>
    call('POST', '/api/community-posts', as, {
      ...{ communityId: community.id, title: 'Which?', content: '', postType: 'poll', tags: ['soil'] },
      poll: { options: ['One', 'Two'] },
    })
  await poll(person)
  await call('PUT', `/api/community-posts/${(await poll(friend)).id}/vote`, person, { position: 0 })

  // Work for businesses, and claims, corrections and verifications.
  await db.insertInto('business_members').values({ business_id: shop.id, user_id: me, role: 'staff' }).execute()
  await addGroups(db, me, friend.user.id)
  const shown = await upload()
  await db.updateTable('businesses').set({ image_id: shown }).where('id', '=', shop.id).execute()
  await recordMediaUses(db, 'business', shop.id)
  await db
    .insertInto('posts')
    .values({ id: newId(), author_id: me, business_id: shop.id, title: 'Open on Sunday', content: 'From nine.' })
    .execute()
  await db.updateTable('reviews').set({ reply: 'Thank you.', replied_by: me, replied_at: now }).where('id', '=', friendsReview).execute()
  const invitation = { business_id: shop.id, role: 'staff' as const, created_at: now, expires_at: later }
  const accepted = { ...invitation, id: newId(), email: person.email, accepted_at: now, accepted_by: me }
  await db.insertInto('team_invitations').values(accepted).execute()
  await db
    .insertInto('team_invitations')
    .values({ ...invitation, id: newId(), email: 'new@example.com', invited_by: me })
    .execute()
  const inGallery = await upload()
  await addGalleryItem(db, shop.id, inGallery, { alt: 'The counter', added_by: me })
  const event = await addEvent(db, shop.id, { created_by: me })
  await call('PUT', `/api/events/${event}/rsvp`, person)
  const imported = { id: newId(), business_id: shop.id, user_id: me, file_name: 'menu.csv', status: 'done', byte_size: 10 } as const
  await db.insertInto('menu_imports').values(imported).execute()
  const secret = { secret_hash: newId(), secret_end: 'abcd', scopes: ['menu:read'] }
  const key = { id: newId(), business_id: shop.id, created_by: me, name: 'Register', created_at: now, ...secret }
  await db.insertInto('business_keys').values(key).execute()
  const connection = { business_id: shop.id, created_by: me, url: 'https://pos.example/', created_at: now }
  const webhook = { id: newId(), ...connection, events: ['review.created'], sealed_secret: 'sealed' }
  await db.insertInto('webhooks').values(webhook).execute()
  const source = { id: newId(), ...connection, auth: 'none', schedule: 'nightly' } as const
  await db.insertInto('menu_sources').values(source).execute()
  const redirect = { from_id: newId(), slug: `merged-${newId()}`, business_id: shop.id, merged_by: me, created_at: now }
  await db.insertInto('business_redirects').values(redirect).execute()
  const merged = { created_at: now, merged_at: now, rating: 4, review: 'Kind people', is_freebie: false }
  const review = { id: newId(), business_id: other.id, user_id: me, ...merged }
  await db.insertInto('merged_reviews').values(review).execute()
  const claim = newId()
  await db
    .insertInto('claims')
    .values({
      id: claim,
      business_id: other.id,
      user_id: me,
      method: 'review',
      status: 'open',
      statement: 'It is mine.',
      created_at: now,
      document_id: media[3],
    })
    .execute()
  await recordMediaUses(db, 'claim', claim)
  const correction = newId()
  const suggested = { business_id: other.id, kind: 'phone' as const, value: JSON.stringify({ kind: 'phone', phone: '1' }), created_at: now }
  await db
    .insertInto('corrections')
    .values([
      { ...suggested, id: newId(), user_id: me, value_key: '1' },
      {
        ...{ ...suggested, id: correction, user_id: friend.user.id, value_key: '2', state: 'undone', settled_as: 'members' },
        ...{ settled_by: me, settled_at: now, undone_by: me, undone_at: now },
      },
    ])
    .execute()
  await db.insertInto('correction_votes').values({ correction_id: correction, user_id: me, agrees: true, created_at: now }).execute()
  const verification = newId()
  await db
    .insertInto('license_verifications')
    .values({
      ...{ id: verification, business_id: shop.id, license_number: '1', license_number_key: '1', state: 'CO', license_name: 'Shop' },
      ...{ business_type: 'dispensary', match: 'none', status: 'pending', requested_by: me, created_at: now, updated_at: now },
    })
    .execute()
  await db.insertInto('license_approvals').values({ verification_id: verification, user_id: me, created_at: now }).execute()

  // Messages.
  const messages = messagesOf(test)
  const talk = await messages.openWith(person, friend)
  const sent = await messages.send(person, talk.id, 'Hello.')
  await messages.send(friend, talk.id, 'Hello yourself.')
  await messages.send(person, talk.id, 'One more.')
  await messages.send(person, (await messages.openWith(person, reader)).id, 'Anybody there?')
  await db.updateTable('conversations').set({ started_by: me }).where('id', '=', talk.id).execute()
  const photo = await upload()
  await db.insertInto('message_media').values({ message_id: sent.id, position: 0, media_id: photo }).execute()
  await recordMediaUses(db, 'message', sent.id)
  await db.insertInto('message_deletions').values({ message_id: sent.id, user_id: me }).execute()

  // Moderation.
  const about = newId()
  await db
    .insertInto('moderation_cases')
    .values({ id: about, subject: 'post', subject_id: post, user_id: me, source: 'filter', findings: JSON.stringify([{ rule: 'sale' }]) })
    .execute()
  await call('POST', '/api/reports', person, { subject: 'post', subjectId: friendsPost, reason: 'spam', details: 'Again.' })
  await call('POST', '/api/reports', friend, { subject: 'person', subjectId: me, reason: 'spam', details: 'Too loud.' })
  const earlier = { reporter_id: me, subject: 'post', subject_id: friendsPost, reason: 'spam', details: 'Before.', created_at: now }
  await db
    .insertInto('earlier_reports')
    .values({ id: newId(), case_id: about, ...earlier, resolved_at: now })
    .execute()
  const action = newId()
  await db
    .insertInto('moderation_actions')
    .values({
      id: action,
      case_id: about,
      action: 'warn',
      subject: 'person',
      subject_id: me,
      user_id: me,
      moderator_id: friend.user.id,
      reason: 'spam',
    })
    .execute()
  await db
    .insertInto('moderation_appeals')
    .values({ id: newId(), action_id: action, user_id: me, content: 'I was quiet.', moderator_id: friend.user.id })
    .execute()
  await db.insertInto('moderation_effects').values({ action_id: action, subject: 'person', subject_id: me }).execute()

  await addModeratorWork(test, { me, friend: friend.user.id, reader: reader.user.id }, { post: friendsPost, business: other.id })
  await db
    .insertInto('business_payment_accounts')
    .values({ id: newId(), business_id: shop.id, provider: 'invoice', connected_by: me, connected_at: now, instructions: 'By wire.' })
    .execute()

  // Growing: their own hunt, and contributions to another one.
  const own = await addHuntWorld(db, 'grown', { owner: me, viewer: reader.user.id, writer: friend.user.id })
  const theirs = await addHuntWorld(db, 'theirs', { owner: friend.user.id, viewer: me, writer: reader.user.id })
  await db.updateTable('grow_logs').set({ author_id: me, notes: 'Mine.' }).where('hunt_id', '=', theirs.hunt).execute()
  await db
    .updateTable('grow_log_versions')
    .set({ changed_by: me })
    .where('log_id', '=', theirs.ids['grow-logs'] as string)
    .execute()
  await db.updateTable('observations').set({ observed_by: me }).where('hunt_id', '=', theirs.hunt).execute()
  await db.updateTable('media').set({ owner_id: me }).where('id', 'in', theirs.media).execute()
  await db.updateTable('decisions').set({ decided_by: me, undone_by: me }).where('hunt_id', '=', theirs.hunt).execute()
  await db.updateTable('climate_imports').set({ imported_by: me }).where('hunt_id', '=', theirs.hunt).execute()
  await db.updateTable('sensor_keys').set({ created_by: me }).where('hunt_id', '=', theirs.hunt).execute()
  await db.updateTable('hunt_events').set({ recorded_by: me }).where('hunt_id', '=', theirs.hunt).execute()
  await db.updateTable('hunt_tasks').set({ done_by: me }).where('hunt_id', '=', theirs.hunt).execute()
  const filled = { hides_jars: true, filled_by: me, filled_at: new Date() }
  await db
    .updateTable('blind_panels')
    .set({ created_by: me, ...filled })
    .where('hunt_id', '=', theirs.hunt)
    .execute()
  const open = (await addHunt(db, friend.user.id, { visibility: 'public' })).id
  await call('POST', `/api/pheno-hunts/${open}/comments`, person, { content: 'Nice.' })

  // Purchases.
  const agreement = newId()
  const plan = Object.keys(planTable)[0] as string
  const bought = { plan_id: plan, provider: 'invoice' as const, title: 'A plan', amount_cents: 7500, currency: 'USD' as const }
  await db
    .insertInto('agreements')
    .values({ ...bought, id: agreement, payer_id: me, status: 'active', paid_until: later, entitled_until: later })
    .execute()
  await db
    .insertInto('payments')
    .values({
      id: newId(),
      agreement_id: agreement,
      provider: 'invoice',
      provider_payment_id: newId(),
      amount_cents: 7500,
      currency: 'USD',
      status: 'paid',
      paid_at: now,
    })
    .execute()
  await db
    .insertInto('checkouts')
    .values({ ...bought, id: newId(), user_id: me, status: 'open', expires_at: later })
    .execute()

  // Sign-in methods and notification settings.
  await db
    .insertInto('passkeys')
    .values({
      ...{ id: newId(), user_id: me, credential_id: newId(), public_key: 'k', counter: 0, transports: [], aaguid: 'a' },
      ...{ is_syncable: false, is_synced: false, name: 'Laptop', created_at: now },
    })
    .execute()
  const ownKey = { id: newId(), user_id: me, name: 'Tablet', scopes: ['hunts:read'], created_at: now }
  await db
    .insertInto('person_keys')
    .values({ ...ownKey, secret_hash: newId(), secret_end: 'abcd' })
    .execute()
  // The second factor is unconfirmed, because sessions would have to pass a confirmed one.
  await db.insertInto('second_factors').values({ user_id: me, secret: 's' }).execute()
  await db.insertInto('recovery_codes').values({ user_id: me, code_hash: newId() }).execute()
  const address = { old_email: person.email, new_email: `new-${person.email}` }
  await db
    .insertInto('email_changes')
    .values({ ...address, id: newId(), user_id: me, requested_at: now, expires_at: later })
    .execute()
  await db
    .insertInto('push_subscriptions')
    .values({ id: newId(), user_id: me, endpoint: `https://push.example.com/${me}`, p256dh: 'p', auth: 'a' })
    .execute()
  await db
    .insertInto('notification_settings')
    .values({ user_id: me })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db.insertInto('notification_choices').values({ user_id: me, topic: 'likes', channel: 'push', is_on: true }).execute()
  await db
    .insertInto('guide_progress')
    .values({ user_id: me, marked: ['profile'] })
    .execute()
  await db
    .insertInto('recent_words')
    .values({ subject_id: newId(), user_id: me, fingerprint: 'f'.repeat(16), is_new_writer: true, said_at: now })
    .execute()
  await db
    .insertInto('idempotency_keys')
    .values({ user_id: me, key: 'k', fingerprint: 'f', response: JSON.stringify({ said: 'kept' }) })
    .execute()
  await sql`insert into rate_limits (key, points) values (${`write:account:${me}`}, 1)`.execute(db)
  await db
    .insertInto('live_signals')
    .values({ id: newId(), signal: JSON.stringify({ kind: 'notifications', userIds: [me] }) })
    .execute()
  const link = { id: newId(), identifier: `reset-password:${me}:${person.email}`, value: 'v' }
  await db
    .insertInto('verifications')
    .values({ ...link, expires_at: later })
    .execute()
  await db.insertInto('search_changes').values({ id: newId(), kind: 'person', subject_id: me }).execute()
  await test.runJobs()
  return { post, emptied, thread, hunt: own.hunt, othersHunt: theirs.hunt, media: [...media, photo], shownByBusiness: [shown, inGallery] }
}
