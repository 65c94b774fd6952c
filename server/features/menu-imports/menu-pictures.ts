import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { maxImageBytes } from '#contracts/media.rules.ts'
import { dayMs, minuteMs } from '#contracts/time.ts'
import type { Db, Tx } from '#server/db/connect.ts'
import { idsOf } from '#server/db/page-ids.ts'
import { storePicture } from '#server/features/media/index.ts'
import { lockMenu, type MenuRow, setPictures } from '#server/features/menus/index.ts'
import { type Context, type OutsideAnswer, OutsideRefused } from '#server/kernel/context.ts'
import { formatOf, readHeader, refusals } from '#server/kernel/media-header.ts'
import { MediaRefused } from '#server/kernel/media-maker.ts'

type Ctx = Pick<Context, 'db' | 'clock' | 'jobs' | 'log' | 'outside' | 'storage' | 'mediaMaker'>

declare module '#server/kernel/jobs.ts' {
  interface JobData {
    'menus.fetch-pictures': { businessId: string }
  }
}

/** After this time, a picture that a menu names again is checked for changes. One that couldn't be fetched is retried sooner. */
const againAfterMs = 7 * dayMs
const againAfterErrorMs = dayMs
/** Addresses that no item uses are deleted after this time. */
const forgottenAfterMs = 30 * dayMs

/** Items per statement; more could exceed the statement timeout. */
const batchSize = 1000

type Written = { added: readonly MenuRow[]; changed: readonly { before: MenuRow; after: MenuRow }[] }

/**
 * Attaches the pictures at their addresses to written items: immediately if they are stored, otherwise in a job. Uploaded pictures aren't
 * replaced. `urls` are the addresses of all items in the sync or file. The menu must be locked.
 */
export async function namePictures(
  tx: Tx,
  { clock, jobs }: Pick<Context, 'clock' | 'jobs'>,
  businessId: string,
  urls: readonly string[],
  { added, changed }: Written,
): Promise<void> {
  const now = clock.now()
  const before = (ms: number) => sql`${new Date(now.getTime() - ms)}::timestamptz`
  const named = [...new Set(urls)]
  const changedIds = [
    ...idsOf(added.filter(({ picture_url }) => picture_url !== null)),
    ...changed.flatMap((each) => (each.before.picture_url === each.after.picture_url ? [] : each.after.id)),
  ]
  if (named.length === 0 && changedIds.length === 0) return
  await sql`
    insert into menu_pictures (business_id, url, due_at)
    select ${businessId}::uuid, url, ${now}::timestamptz from unnest(${named}::text[]) as url
    on conflict (business_id, url) do update set due_at = excluded.due_at, tries = 0
    where menu_pictures.due_at is null and case when menu_pictures.error is null
      then menu_pictures.checked_at < ${before(againAfterMs)} and ${isStored}
      else menu_pictures.checked_at < ${before(againAfterErrorMs)} end`.execute(tx)
  for (let at = 0; at < changedIds.length; at += batchSize) {
    const ids = changedIds.slice(at, at + batchSize)
    await sql`
      update menu_pictures set due_at = ${now}::timestamptz, tries = 0
      from products
      where products.id = any(${ids}::uuid[]) and menu_pictures.business_id = ${businessId}::uuid
        and menu_pictures.url = products.picture_url and menu_pictures.due_at is null and not ${isStored}`.execute(tx)
    const { rows } = await sql<{ id: string; image_id: string | null }>`
      select products.id, case when picture_url is not null then coalesce(ready.id, image_id) end as image_id
      from products
        left join menu_pictures on menu_pictures.business_id = ${businessId}::uuid and menu_pictures.url = products.picture_url
        -- The lock waits for the sweep of unused pictures.
        left join lateral (
          select media.id from media where media.id = menu_pictures.picture_id and media.status = 'ready' for share) as ready on true
      where products.id = any(${ids}::uuid[]) and (image_id is null or ${isFetched(businessId)})`.execute(tx)
    await setPictures(tx, rows)
  }
  const due = await dueOf(tx, businessId, now)
  if (due) await jobs.enqueue('menus.fetch-pictures', { businessId }, { tx })
}

const isUsed = sql<boolean>`exists (
  select from products where products.business_id = menu_pictures.business_id and products.picture_url = menu_pictures.url)`

const isStored = sql<boolean>`exists (select from media where media.id = menu_pictures.picture_id and media.status = 'ready')`

/** Whether the picture of a row of `products` came from an address, so that no one's upload is replaced. */
const isFetched = (businessId: string) => sql<boolean>`image_id in (
  select picture_id from menu_pictures where menu_pictures.business_id = ${businessId}::uuid and picture_id is not null)`

const dueOf = (db: Db, businessId: string, now: Date) =>
  db.selectFrom('menu_pictures').select('url').where('business_id', '=', businessId).where('due_at', '<=', now).limit(1).executeTakeFirst()

/** A job fetches this many pictures, one after another, then yields to other jobs. */
const fetchedAtOnce = 10
/** Longer than a job takes. If a process dies midway, the menu's pictures aren't fetched for this long. */
const leaseMs = 15 * minuteMs

/** Only one job at a time fetches a menu's pictures, so that a menu can't make the server flood another site. */
export async function fetchPictures(ctx: Ctx, businessId: string): Promise<void> {
  const now = ctx.clock.now()
  const due = await leaseDue(ctx.db, businessId, now)
  for (const picture of due) await fetchPicture(ctx, picture)
  await forgetUnused(ctx.db, businessId, now)
  if (due.length === fetchedAtOnce) await ctx.jobs.enqueue('menus.fetch-pictures', { businessId })
}

type PictureRow = Awaited<ReturnType<typeof leaseDue>>[number]

async function leaseDue(db: Db, businessId: string, now: Date) {
  return db
    .updateTable('menu_pictures')
    .set({ leased_until: new Date(now.getTime() + leaseMs) })
    .where('business_id', '=', businessId)
    .where('url', 'in', (eb) =>
      eb
        .selectFrom('menu_pictures')
        .select('url')
        .where('business_id', '=', businessId)
        .where('due_at', '<=', now)
        .where(isUsed)
        .where(sql<boolean>`not exists (
          select from menu_pictures as leased where leased.business_id = ${businessId}::uuid and leased.leased_until > ${now}::timestamptz)`)
        .orderBy('due_at')
        .limit(fetchedAtOnce)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['business_id', 'url', 'picture_id', 'etag', 'last_modified', 'content_hash', 'tries'])
    .returning(isStored.as('is_stored'))
    .execute()
}

const pausesMs = [minuteMs, 10 * minuteMs, 60 * minuteMs]

async function fetchPicture(ctx: Ctx, row: PictureRow): Promise<void> {
  try {
    const answer = await ask(ctx, row)
    const content_hash = answer && createHash('sha256').update(answer.body).digest('base64url')
    if (answer === null || (row.is_stored && content_hash === row.content_hash)) return await settle(ctx, row, { error: null })
    const { etag = null, 'last-modified': last_modified = null } = answer.headers
    const error = await storePicture(ctx, { url: row.url, bytes: answer.body }, async (tx, mediaId) => {
      await showPicture(tx, row, mediaId)
      await settle({ ...ctx, db: tx }, row, { picture_id: mediaId, etag, last_modified, content_hash, error: null })
    })
    if (error !== null) await settle(ctx, row, { error })
  } catch (error) {
    if (error instanceof OutsideRefused || error instanceof MediaRefused) return settle(ctx, row, { error: error.message })
    const pause = pausesMs[row.tries]
    ctx.log.warn({ err: error, tries: row.tries }, 'a site did not respond for the picture of a menu item')
    if (pause === undefined) return settle(ctx, row, { error: 'The site didn’t respond.' })
    await update(ctx.db, row, { tries: row.tries + 1, due_at: new Date(ctx.clock.now().getTime() + pause) })
  }
}

/** Null if the picture hasn't changed. @throws OutsideRefused, MediaRefused; retrying may help for any other error */
async function ask({ outside }: Ctx, { url, etag, last_modified, is_stored }: PictureRow): Promise<OutsideAnswer | null> {
  const answer = await outside.call({
    url,
    isHttpAllowed: true,
    headers: {
      'user-agent': 'Mozilla/5.0 (compatible; picture fetcher)',
      accept: 'image/*',
      ...(is_stored && etag !== null ? { 'if-none-match': etag } : {}),
      ...(is_stored && last_modified !== null ? { 'if-modified-since': last_modified } : {}),
    },
    maxBytes: maxImageBytes,
    timeLimitMs: 10_000,
    maxRedirects: 3,
    checkStart(start) {
      if (formatOf(start) === null) throw new MediaRefused(refusals.unknown)
    },
  })
  if (answer.status === 304 && is_stored) return null
  if (answer.status === 429 || answer.status >= 500) throw new Error(`the other site responded with ${answer.status}`)
  if (answer.status !== 200) throw new OutsideRefused('There is no picture at this address.')
  if (readHeader(answer.body, answer.body.length).kind !== 'image') throw new MediaRefused(refusals.unknown)
  return answer
}

/** A new picture at a known address replaces the old one only where the old one is still shown. */
async function showPicture(tx: Tx, { business_id: businessId, url, picture_id, is_stored }: PictureRow, mediaId: string): Promise<void> {
  await lockMenu(tx, businessId)
  const isToReplace = is_stored ? sql`image_id = ${picture_id}::uuid` : sql`(image_id is null or ${isFetched(businessId)})`
  const { rows } = await sql<{ id: string; image_id: string }>`
    select id, ${mediaId}::uuid as image_id from products
    where business_id = ${businessId}::uuid and picture_url = ${url} and ${isToReplace}`.execute(tx)
  await setPictures(tx, rows)
}

type Settled = {
  picture_id?: string
  etag?: string | null
  last_modified?: string | null
  content_hash?: string | null
  error: string | null
}

const settle = ({ db, clock }: Pick<Ctx, 'clock'> & { db: Db }, row: PictureRow, values: Settled): Promise<void> =>
  update(db, row, { ...values, tries: 0, due_at: null, checked_at: clock.now() })

async function update(
  db: Db,
  { business_id, url }: PictureRow,
  values: Partial<Settled> & { tries: number; due_at: Date | null; checked_at?: Date },
): Promise<void> {
  await db
    .updateTable('menu_pictures')
    .set({ ...values, leased_until: null })
    .where('business_id', '=', business_id)
    .where('url', '=', url)
    .execute()
}

/** Resumes fetches that a killed process left unfinished, and retries those that are due. */
export async function sweepPictures({ db, clock, jobs }: Pick<Ctx, 'db' | 'clock' | 'jobs'>): Promise<void> {
  const now = clock.now()
  await db.deleteFrom('menu_pictures').where('due_at', '<=', now).where(sql<boolean>`not ${isUsed}`).execute()
  const due = await db.selectFrom('menu_pictures').select('business_id').distinct().where('due_at', '<=', now).limit(1000).execute()
  for (const { business_id } of due) await jobs.enqueue('menus.fetch-pictures', { businessId: business_id })
}

const forgetUnused = (db: Db, businessId: string, now: Date) =>
  db
    .deleteFrom('menu_pictures')
    .where('business_id', '=', businessId)
    .where('checked_at', '<', new Date(now.getTime() - forgottenAfterMs))
    .where(sql<boolean>`not ${isUsed}`)
    .execute()

export async function pictureErrors(db: Db, businessId: string, urls: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (urls.length === 0) return new Map()
  const rows = await db
    .selectFrom('menu_pictures')
    .select(['url', 'error'])
    .where('business_id', '=', businessId)
    .where(sql<boolean>`url = any(${urls}::text[])`)
    .where('error', 'is not', null)
    .execute()
  return new Map(rows.map(({ url, error }) => [url, error as string]))
}

export async function countPictures(db: Db, businessId: string): Promise<{ waiting: number; failed: number }> {
  return db
    .selectFrom('menu_pictures')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('due_at', 'is not', null).as('waiting'),
      eb.fn.countAll<number>().filterWhere('due_at', 'is', null).filterWhere('error', 'is not', null).as('failed'),
    ])
    .where('business_id', '=', businessId)
    .where(isUsed)
    .executeTakeFirstOrThrow()
}
