import type pg from 'pg'
import type { Database } from '#server/db/connect.ts'
import { findAuditBreak } from '#server/features/audit/index.ts'
import { findWrongCounters } from '#tests/support/counters.ts'
import type { ReceivedMail } from '#tests/support/smtp-server.ts'
import { compareRows, compareSent, compareStates, type Differences, notificationsIn, receiptsIn, titleWords } from './compare.ts'
import { until } from './daemons.ts'
import type { Crowd, Ledger } from './writers.ts'

/** `torn` also lists counters, states and totals that don't match the rows. */
export type Verdict = Differences & {
  acknowledged: Record<string, number>
  notifications: { expected: number; missing: string[]; wrong: string[] }
  emails: { notifications: number; receipts: number; missing: string[]; doubled: string[] }
}

type Rows<Row> = Promise<Row[]>
const rowsOf = async <Row extends pg.QueryResultRow>({ pool }: Database, text: string, values: unknown[] = []): Rows<Row> =>
  (await pool.query<Row>(text, values)).rows

/** Sends notification emails without waiting to group them, so each failover interrupts some. */
export const hurryEmails = ({ pool }: Database) =>
  pool.query(`
    update pgboss.job set start_after = now()
    where name in ('notifications.mail-due', 'notifications.mail-urgent-due') and state = 'created' and start_after > now()`)

/** Retries failed jobs now. Otherwise, they'd wait for minutes. */
const hurryRetries = ({ pool }: Database) =>
  pool.query(`
    update pgboss.job set start_after = now()
    where (name like 'notifications.%' or name = 'billing.confirm') and state = 'retry' and start_after > now()`)

/** Waits until the writes' jobs for notifications and receipts are done. */
export async function drainJobs(database: Database): Promise<void> {
  const left = `
    select name, count(*)::int as count from pgboss.job
    where state in ('created', 'retry', 'active') and (name like 'notifications.%' or name = 'billing.confirm')
      and name not in ('notifications.digests', 'notifications.purge')
    group by 1`
  await until(
    'the jobs are done',
    async () => {
      await hurryEmails(database)
      await hurryRetries(database)
      const jobs = await rowsOf<{ name: string; count: number }>(database, left)
      if (jobs.length > 0) throw new Error(jobs.map(({ name, count }) => `${count} ${name}`).join(', '))
      return true
    },
    { withinMs: 180_000, everyMs: 500 },
  )
}

/** Compares the confirmed writes with the database and the mailbox. */
export async function verify(database: Database, ledger: Ledger, crowd: Crowd, mailbox: readonly ReceivedMail[]): Promise<Verdict> {
  const found: Differences = { lost: [], doubled: [], torn: ledger.unsettled.map((what) => `unsettled: ${what}`) }
  const { torn } = found
  const marked = (table: string, column: string) =>
    rowsOf<{ marker: string; id: string }>(
      database,
      `select substring(${column} from 'w[0-9]+n[0-9]+') as marker, id from ${table} where ${column} ~ 'w[0-9]+n[0-9]+'`,
    )
  const ids = (map: ReadonlyMap<string, { id: string }>) => [...map].map(([marker, { id }]) => [marker, id] as const)
  compareRows('post', ids(ledger.posts), await marked('posts', 'title'), found)
  compareRows('comment', ids(ledger.comments), await marked('comments', 'content'), found)
  const messages = [...ledger.messages].map(([id, { marker }]) => [marker, id] as const)
  compareRows('message', messages, await marked('messages', 'content'), found)

  const postIds = [...ledger.posts.values()].map(({ id }) => id)
  const likes = await rowsOf<{ key: string }>(
    database,
    `select post_id || ' ' || user_id as key from post_likes where post_id = any($1::uuid[])`,
    [postIds],
  )
  compareStates('like', ledger.likes, new Set(likes.map(({ key }) => key)), found)
  const follows = await rowsOf<{ key: string }>(
    database,
    `select follower_id || ' ' || person_id as key from person_follows where person_id = any($1::uuid[])`,
    [crowd.readers.map(({ id }) => id)],
  )
  compareStates('follow', ledger.follows, new Set(follows.map(({ key }) => key)), found)

  await verifyOrders(database, ledger, found)
  torn.push(...(await findWrongCounters(database.db)))
  const audit = await findAuditBreak(database.db)
  if (audit) torn.push(`the audit log: ${JSON.stringify(audit)}`)
  const gaps = await rowsOf<{ conversation_id: string }>(
    database,
    'select conversation_id from messages group by 1 having count(*) <> max(sequence) or min(sequence) <> 1',
  )
  for (const { conversation_id: id } of gaps) torn.push(`the messages of conversation ${id} aren't numbered without gaps`)
  const failed = await rowsOf<{ name: string; count: number }>(
    database,
    `select name, count(*)::int as count from pgboss.job where state = 'failed' group by 1`,
  )
  for (const { name, count } of failed) torn.push(`${count} jobs ${name} failed for good`)

  const acknowledged = {
    posts: ledger.posts.size,
    comments: ledger.comments.size,
    likes: ledger.likes.size,
    follows: ledger.follows.size,
    messages: ledger.messages.size,
    orders: ledger.orders.length,
  }
  const notifications = await verifyNotifications(database, ledger, crowd)
  const emails = await verifyEmails(database, ledger, crowd, mailbox)
  return { acknowledged, ...found, notifications, emails }
}

async function verifyOrders(database: Database, { orders }: Ledger, found: Differences): Promise<void> {
  const agreements = await rowsOf<{ key: string; id: string; status: string; payments: number; receipts: number }>(
    database,
    `select payer_id || ' ' || plan_id as key, agreements.id, agreements.status, count(payments.id)::int as payments,
       count(payments.receipt_number)::int as receipts
     from agreements left join payments on payments.agreement_id = agreements.id group by agreements.id`,
  )
  const byKey = Map.groupBy(agreements, ({ key }) => key)
  for (const { buyerId, planId, agreementId } of orders) {
    const bought = byKey.get(`${buyerId} ${planId}`) ?? []
    const name = `order of ${planId} by ${buyerId}`
    const [agreement] = bought
    if (!bought.some(({ id }) => id === agreementId)) found.lost.push(name)
    if (bought.length > 1 || bought.some(({ payments }) => payments > 1)) found.doubled.push(name)
    if (agreement && (agreement.status !== 'active' || agreement.payments !== 1 || agreement.receipts !== 1))
      found.torn.push(`${name}: ${JSON.stringify(agreement)}`)
  }
  const strays = await rowsOf<{ custom_id: string; count: number }>(
    database,
    'select custom_id, count(*)::int as count from test_provider_subscriptions group by 1 having count(*) > 1',
  )
  for (const { custom_id: id, count } of strays) found.doubled.push(`checkout ${id} has ${count} subscriptions at the provider`)
  const receipts = await rowsOf<{ receipt_number: string }>(
    database,
    'select receipt_number from payments where receipt_number is not null order by length(receipt_number), receipt_number',
  )
  const wrongAt = receipts.findIndex(({ receipt_number: number }, i) => Number(number.split('-')[1]) !== i + 1)
  if (wrongAt >= 0) found.torn.push(`receipt ${wrongAt + 1} is ${receipts[wrongAt]?.receipt_number}`)
}

type Expected = { must: Set<string>; may: Set<string> }

/** No one reads notifications, so each group has one notification, and its actors are all the people who acted. */
async function verifyNotifications(database: Database, ledger: Ledger, crowd: Crowd): Promise<Verdict['notifications']> {
  const expected = new Map<string, Expected>()
  const expect = (recipient: string, group: string, actor: string, isCertain = true) => {
    const key = `${recipient} ${group}`
    const known: Expected = expected.get(key) ?? { must: new Set(), may: new Set() }
    expected.set(key, known)
    known.may.add(actor)
    if (isCertain) known.must.add(actor)
  }
  for (const { postId, postAuthorId, authorId, isHeld } of ledger.comments.values())
    expect(postAuthorId, `comment:${postId}`, authorId, !isHeld)
  for (const { conversationId, senderId, receiverId } of ledger.messages.values()) expect(receiverId, `message:${conversationId}`, senderId)
  const authors = new Map([...ledger.posts.values()].map(({ id, authorId }) => [id, authorId]))
  // Actions undone before their job ran notify no one.
  for (const [key, stands] of ledger.likes) {
    const [postId = '', personId = ''] = key.split(' ')
    expect(authors.get(postId) ?? '', `like:${postId}`, personId, stands)
  }
  for (const [key, stands] of ledger.follows) {
    const [followerId = '', personId = ''] = key.split(' ')
    expect(personId, 'follow', followerId, stands)
  }
  const partners = new Map(crowd.writers.map(({ id, partnerId }) => [id, partnerId]))
  for (const { id, authorId } of ledger.posts.values())
    for (const follower of [partners.get(authorId) ?? '', ...crowd.readers.map((reader) => reader.id)])
      expect(follower, `post:${id}`, authorId)

  const stored = await rowsOf<{ key: string; actors: string[] }>(
    database,
    `select n.user_id || ' ' || n.group_key as key,
       case when n.group_key like 'post:%' then array[n.actor_id]
         else array(select user_id from notification_actors a where a.notification_id = n.id) end::text[] as actors
     from notifications n where n.user_id = any($1::uuid[]) and n.created_at >= $2`,
    [[...crowd.writers, ...crowd.readers].map(({ id }) => id), ledger.startedAt],
  )
  const byKey = Map.groupBy(stored, ({ key }) => key)
  const missing: string[] = []
  const wrong: string[] = []
  for (const [key, { must, may }] of expected) {
    const found = byKey.get(key) ?? []
    byKey.delete(key)
    const actors = found.flatMap((each) => each.actors)
    for (const actor of must) if (!actors.includes(actor)) missing.push(`${key} by ${actor}`)
    if (found.length > 1 || actors.some((actor) => !may.has(actor))) wrong.push(`${key}: ${JSON.stringify(found)}`)
  }
  for (const [key, found] of byKey) wrong.push(`${key}: unexpected, ${found.length}`)
  return { expected: expected.size, missing, wrong }
}

/** Expects one email for each of the writers' notifications, which are emailed separately, and one for each receipt. */
async function verifyEmails(
  database: Database,
  { startedAt }: Ledger,
  { writers }: Crowd,
  mailbox: readonly ReceivedMail[],
): Promise<Verdict['emails']> {
  const receipts = await rowsOf<{ receipt_number: string }>(
    database,
    'select receipt_number from payments where receipt_number is not null',
  )
  const receiptsSent = receiptsIn(mailbox)
  const ofReceipts = compareSent(
    receipts.map(({ receipt_number: number }) => number),
    receiptsSent,
  )
  const notified = await rowsOf<{ email: string; type: keyof typeof titleWords; subject: string }>(
    database,
    `select users.email, n.type, coalesce(n.post_id, n.conversation_id)::text as subject
     from notifications n join users on users.id = n.user_id
     where n.type = any($1) and users.id = any($2::uuid[]) and n.created_at >= $3`,
    [Object.keys(titleWords), writers.map(({ id }) => id), startedAt],
  )
  const wanted = notified.map(({ email, type, subject }) => `${email} ${titleWords[type]} ${subject}`)
  // Readers get digests, which may omit titles.
  const emails = new Set(writers.map(({ email }) => email))
  const sent = notificationsIn(mailbox).filter((each) => emails.has(each.split(' ')[0] ?? ''))
  const ofNotifications = compareSent(wanted, sent)
  return {
    notifications: sent.length,
    receipts: receiptsSent.length,
    missing: [...ofReceipts.missing, ...ofNotifications.missing],
    doubled: [...ofReceipts.doubled, ...ofNotifications.doubled],
  }
}
