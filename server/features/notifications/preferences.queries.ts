import { type RawBuilder, type Selectable, sql } from 'kysely'
import { channels } from '#contracts/choices.ts'
import type { NotificationTopic } from '#contracts/notification-types.ts'
import type { Channel } from '#contracts/notifications.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { hasPlanWith } from '#server/features/billing/index.ts'
import { defaultChannels, onByPlan } from './topics.ts'

export type Choice = { topic: NotificationTopic; channel: Channel; is_on: boolean }
type Settings = Omit<Selectable<DB['notification_settings']>, 'user_id' | 'last_digest_at'>

export const choicesOf = (db: Db, userId: string) =>
  db.selectFrom('notification_choices').select(['topic', 'channel', 'is_on']).where('user_id', '=', userId).execute()

export const settingsOf = (db: Db, userId: string) =>
  db.selectFrom('notification_settings').selectAll().where('user_id', '=', userId).executeTakeFirst()

export const saveSettings = (tx: Tx, userId: string, settings: Settings) =>
  tx
    .insertInto('notification_settings')
    .values({ user_id: userId, ...settings })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(settings))
    .execute()

export const saveEmailOff = (db: Db, userId: string) =>
  db
    .insertInto('notification_settings')
    .columns(['user_id', 'is_email_on'])
    .expression((eb) =>
      eb
        .selectFrom('users')
        .select(['id', sql<boolean>`false`.as('is_email_on')])
        .where('id', '=', userId),
    )
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ is_email_on: false }))
    .execute()

/** In key order, so that concurrent saves can't deadlock. */
export async function saveChoices(tx: Tx, userId: string, choices: readonly Choice[]): Promise<void> {
  if (choices.length === 0) return
  await sql`
    insert into notification_choices (user_id, topic, channel, is_on)
    select ${userId}::uuid, topic, channel, is_on
    from unnest(${choices.map(({ topic }) => topic)}::text[], ${choices.map(({ channel }) => channel)}::text[],
      ${choices.map(({ is_on }) => is_on)}::boolean[]) as given (topic, channel, is_on)
    order by topic, channel
    on conflict (user_id, topic, channel) do update set is_on = excluded.is_on`.execute(tx)
}

export async function removeChoices(tx: Tx, userId: string, choices: readonly Choice[]): Promise<void> {
  await sql`
    delete from notification_choices
    where user_id = ${userId}::uuid and (topic, channel) in (
      select topic, channel
      from unnest(${choices.map(({ topic }) => topic)}::text[], ${choices.map(({ channel }) => channel)}::text[]) as given (topic, channel))`.execute(
    tx,
  )
}

/** SQL: whether any channel of a topic is on for the person in `userId`. */
export function isWanted(userId: RawBuilder<unknown>, topic: NotificationTopic, now: Date) {
  const byPlan = topic === 'products' ? hasPlanWith('product_updates', userId, sql`${now}`) : sql<boolean>`false`
  const given = channels.map((channel) => {
    const isOn = sql`${defaultChannels[topic][channel]}::boolean`
    return sql`(${channel}, ${onByPlan.includes(channel) ? sql`${isOn} or ${byPlan}` : isOn})`
  })
  return sql<boolean>`exists (
    select 1 from (values ${sql.join(given)}) as given (channel, is_on)
    left join notification_choices chosen
      on chosen.user_id = ${userId} and chosen.topic = ${topic} and chosen.channel = given.channel
    where coalesce(chosen.is_on, given.is_on))`
}

export async function hasProductUpdates(db: Db, userId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select ${hasPlanWith('product_updates', sql`${userId}::uuid`, sql`${now}`)} as has`.execute(
    db,
  )
  return rows[0]?.has ?? false
}
