import { newId } from '#server/kernel/ids.ts'
import type { TestApp } from './test-app.ts'

/** A person's work as a moderator: an undone warning about a friend's post, two appeals, and a reader's rejected claim. */
export async function addModeratorWork(
  { db, clock }: TestApp,
  { me, friend, reader }: { me: string; friend: string; reader: string },
  { post, business }: { post: string; business: string },
): Promise<void> {
  const now = clock.now()
  const decided = newId()
  await db
    .insertInto('moderation_cases')
    .values({
      ...{ id: decided, subject: 'post', subject_id: post, user_id: friend, source: 'filter', status: 'decided' },
      ...{ assigned_to: me, decided_by: me, decided_at: now },
    })
    .execute()
  const decisionId = newId()
  await db
    .insertInto('moderation_actions')
    .values({
      ...{ id: decisionId, action: 'warn', subject: 'post', subject_id: post, user_id: friend, reason: 'spam' },
      ...{ moderator_id: me, undone_by: me, undone_at: now },
    })
    .execute()
  await db
    .insertInto('moderation_appeals')
    .values({
      ...{ id: newId(), action_id: decisionId, user_id: friend, content: 'Why?', moderator_id: me },
    })
    .execute()
  const answered = newId()
  await db
    .insertInto('moderation_actions')
    .values({ id: answered, action: 'warn', subject: 'post', subject_id: post, user_id: friend, reason: 'spam' })
    .execute()
  await db
    .insertInto('moderation_appeals')
    .values({
      ...{ id: newId(), action_id: answered, user_id: friend, content: 'Why again?' },
      ...{ decided_by: me, decided_at: now, outcome: 'upheld' },
    })
    .execute()
  await db
    .insertInto('claims')
    .values({
      ...{ id: newId(), business_id: business, user_id: reader, method: 'review', status: 'rejected', created_at: now },
      ...{ decided_by: me, decided_at: now },
    })
    .execute()
}
