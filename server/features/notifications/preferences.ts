import { type RawBuilder, type Selectable, sql } from 'kysely'
import { channels } from '#contracts/choices.ts'
import {
  type NotificationTopic,
  type NotificationType,
  notificationTopics,
  notificationTypes,
  topicOf,
} from '#contracts/notification-types.ts'
import type { Channel, NotificationPreferences, NotificationPreferencesChange } from '#contracts/notifications.ts'
import type { DB, Db, Tx } from '#server/db/connect.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hasPlanWith } from '#server/features/billing/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { isTimeZone } from '#server/kernel/time-zones.ts'

export async function loadPreferences(db: Db, userId: string, now: Date): Promise<NotificationPreferences> {
  const [hasUpdates, chosen, settings] = await Promise.all([
    hasProductUpdates(db, userId, now),
    choicesOf(db, userId),
    settingsOf(db, userId),
  ])
  const channelsOf = channelsBy(chosen, hasUpdates)
  const { quiet_from: from = null, quiet_until: until = null } = settings ?? {}
  return {
    topics: notificationTopics.map((topic) => ({ topic, channels: channelsOf[topic] })),
    isEmailOn: settings?.is_email_on ?? true,
    emailRhythm: settings?.email_rhythm ?? 'daily',
    isPromptOn: settings?.is_prompt_on ?? true,
    quietHours: from === null || until === null ? null : { from, until },
    timeZone: settings?.time_zone ?? unchosenZone,
  }
}

export function channelsBy(choices: readonly Choice[], hasUpdates: boolean): Record<NotificationTopic, Channels> {
  const chosen = defaultsFor(hasUpdates)
  for (const { topic, channel, is_on } of choices) {
    // A newer version, running beside this one during an upgrade, may have stored a topic that this one doesn't have.
    if (topic in chosen) chosen[topic][channel] = is_on
  }
  return chosen
}

/**
 * Changes only what the request contains, so an outdated page doesn't undo changes made elsewhere. Stores only differences from the
 * defaults, so that better defaults reach people who never chose.
 * @throws AppError invalid_input for an unknown time zone
 */
export async function savePreferences(
  ctx: Pick<Context, 'db' | 'live' | 'clock'>,
  userId: string,
  { topics = [], quietHours, ...change }: NotificationPreferencesChange,
): Promise<NotificationPreferences> {
  if (change.timeZone !== undefined) requireTimeZone(change.timeZone)
  // If a topic appears twice, the last one wins.
  const chosenOf = new Map(topics.map(({ topic, channels: chosen }) => [topic, chosen]))
  const given = [...chosenOf].flatMap(([topic, chosen]) =>
    channels.flatMap((channel) => {
      const is_on = chosen[channel]
      return is_on === undefined ? [] : [{ topic, channel, is_on }]
    }),
  )
  const defaults = defaultsFor(await hasProductUpdates(ctx.db, userId, ctx.clock.now()))
  const isDefault = ({ topic, channel, is_on }: (typeof given)[number]) => defaults[topic][channel] === is_on
  await inTransaction(ctx.db, async (tx) => {
    await saveSettings(tx, userId, {
      ...(change.isEmailOn !== undefined && { is_email_on: change.isEmailOn }),
      ...(change.emailRhythm !== undefined && { email_rhythm: change.emailRhythm }),
      ...(change.isPromptOn !== undefined && { is_prompt_on: change.isPromptOn }),
      ...(quietHours !== undefined && { quiet_from: quietHours?.from ?? null, quiet_until: quietHours?.until ?? null }),
      ...(change.timeZone !== undefined && { time_zone: change.timeZone }),
    })
    await removeChoices(tx, userId, given.filter(isDefault))
    await saveChoices(
      tx,
      userId,
      given.filter((choice) => !isDefault(choice)),
    )
  })
  // What the app shows may have changed, and with it the badge.
  await ctx.live.publish({ kind: 'notifications', userIds: [userId] })
  return loadPreferences(ctx.db, userId, ctx.clock.now())
}

/**
 * Changes nothing for people who have chosen a zone. For others, digests and quiet hours follow their local time from the start.
 * @throws AppError invalid_input for an unknown time zone
 */
export async function saveDeviceTimeZone({ db }: Pick<Context, 'db'>, userId: string, timeZone: string): Promise<void> {
  requireTimeZone(timeZone)
  await db
    .insertInto('notification_settings')
    .values({ user_id: userId, time_zone: timeZone })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({ time_zone: timeZone }).where('notification_settings.time_zone', '=', unchosenZone),
    )
    .execute()
}

function requireTimeZone(name: string): void {
  if (!isTimeZone(name)) throw invalidField('timeZone', 'Unknown time zone')
}

/** The column's default. For people who choose UTC, `Etc/UTC` is stored. */
const unchosenZone = 'UTC'

type Choice = { topic: NotificationTopic; channel: Channel; is_on: boolean }
type Settings = Partial<Omit<Selectable<DB['notification_settings']>, 'user_id' | 'last_digest_at'>>

export const choicesOf = (db: Db, userId: string) =>
  db.selectFrom('notification_choices').select(['topic', 'channel', 'is_on']).where('user_id', '=', userId).execute()

const settingsOf = (db: Db, userId: string) =>
  db.selectFrom('notification_settings').selectAll().where('user_id', '=', userId).executeTakeFirst()

async function saveSettings(tx: Tx, userId: string, settings: Settings): Promise<void> {
  if (Object.keys(settings).length === 0) return
  await tx
    .insertInto('notification_settings')
    .values({ user_id: userId, ...settings })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(settings))
    .execute()
}

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

/** Writes in key order, so that concurrent saves can't deadlock. */
async function saveChoices(tx: Tx, userId: string, choices: readonly Choice[]): Promise<void> {
  if (choices.length === 0) return
  await sql`
    insert into notification_choices (user_id, topic, channel, is_on)
    select ${userId}::uuid, topic, channel, is_on
    from unnest(${choices.map(({ topic }) => topic)}::text[], ${choices.map(({ channel }) => channel)}::text[],
      ${choices.map(({ is_on }) => is_on)}::boolean[]) as given (topic, channel, is_on)
    order by topic, channel
    on conflict (user_id, topic, channel) do update set is_on = excluded.is_on`.execute(tx)
}

async function removeChoices(tx: Tx, userId: string, choices: readonly Choice[]): Promise<void> {
  await sql`
    delete from notification_choices
    where user_id = ${userId}::uuid and (topic, channel) in (
      select topic, channel
      from unnest(${choices.map(({ topic }) => topic)}::text[], ${choices.map(({ channel }) => channel)}::text[]) as given (topic, channel))`.execute(
    tx,
  )
}

/** SQL: whether any channel of a topic is turned on for the person in `userId`. */
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

/**
 * SQL: the app shows notifications of the type of `n` to the person. The type is on by default, by a plan or by choice, and the person
 * hasn't turned it off. If `hasPlan` is false, what plans turn on isn't looked up.
 */
export function isInApp({ id, now, hasPlan }: { id: RawBuilder<string>; now: RawBuilder<Date>; hasPlan: boolean }) {
  const listOf = (types: readonly NotificationType[]) => sql.join(types.map((type) => sql.lit(type)))
  const byDefault = [...notificationTopics.filter((topic) => defaultChannels[topic].in_app).flatMap(typesOf), ...alwaysOnTypes]
  const typesOfTopic = sql.join(
    notificationTopics.map((topic) => sql`when ${sql.lit(topic)} then array[${listOf(typesOf(topic))}]`),
    sql` `,
  )
  const chosen = (isOn: RawBuilder<boolean>) => sql`array(
    select unnest(case topic ${typesOfTopic} end) from notification_choices
    where user_id = ${id} and channel = 'in_app' and is_on = ${isOn})`
  const byPlan = sql`(n.type in (${listOf(typesOf('products'))}) and ${hasPlanWith('product_updates', id, now)})`
  return sql<boolean>`(n.type <> all(${chosen(sql`false`)})
    and (n.type in (${listOf(byDefault)}) or n.type = any(${chosen(sql`true`)}) ${hasPlan ? sql`or ${byPlan}` : sql``}))`
}

export async function hasProductUpdates(db: Db, userId: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`select ${hasPlanWith('product_updates', sql`${userId}::uuid`, sql`${now}`)} as has`.execute(
    db,
  )
  return rows[0]?.has ?? false
}

export const alwaysOnTypes: readonly NotificationType[] = notificationTypes.filter((type) => topicOf(type) === null)

export const typesOf = (topic: NotificationTopic): NotificationType[] => notificationTypes.filter((type) => topicOf(type) === topic)

type Channels = Record<Channel, boolean>

/** The channels that a plan with `product_updates` turns on by default. */
const onByPlan: readonly Channel[] = ['in_app', 'email']

/**
 * Defaults for people who haven't chosen. Per the specification, new posts are on and product updates off. Likes aren't worth an email.
 * Push requires the browser's permission, so people who granted it get most topics.
 */
const defaultChannels: Record<NotificationTopic, Channels> = {
  posts: { in_app: true, email: true, push: true },
  products: { in_app: false, email: false, push: false },
  likes: { in_app: true, email: false, push: false },
  comments: { in_app: true, email: true, push: true },
  mentions: { in_app: true, email: true, push: true },
  follows: { in_app: true, email: true, push: false },
  reviews: { in_app: true, email: true, push: true },
  hunts: { in_app: true, email: true, push: true },
  communities: { in_app: true, email: true, push: true },
  // The app has a separate badge for messages.
  messages: { in_app: false, email: true, push: true },
  events: { in_app: true, email: true, push: true },
  drafts: { in_app: true, email: true, push: true },
  held: { in_app: true, email: true, push: false },
}

/** `hasUpdates`: whether their plan has `product_updates`. */
function defaultsFor(hasUpdates: boolean): Record<NotificationTopic, Channels> {
  const defaults = structuredClone(defaultChannels)
  if (hasUpdates) for (const channel of onByPlan) defaults.products[channel] = true
  return defaults
}
