import { createHmac, randomBytes } from 'node:crypto'
import { isbot } from 'isbot'
import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { utcDate } from '#contracts/age.ts'
import type { recordVisits as contract, VisitKind, VisitSource } from '#contracts/insights.endpoints.ts'
import { minuteMs } from '#contracts/time.ts'
import type { Db } from '#server/db/connect.ts'
import { addressGroup } from '#server/kernel/client-address.ts'
import type { Context } from '#server/kernel/context.ts'
import { notFound } from '#server/kernel/errors.ts'
import type { Call } from '#server/kernel/route.ts'
import type { Day } from './days.ts'

type Visit = {
  at: Date
  businessId: string
  kind: VisitKind
  source: VisitSource
  subjectId: string | null
  visitor: bigint
}

type Counting = { buffer: VisitBuffer; salts: ReturnType<typeof createSalts> }

/** Counts valid visits and silently ignores the rest. */
export async function recordVisits(counting: Counting, { ctx, actor, params, body, request }: Call<typeof contract>): Promise<void> {
  const userAgent = request.headers['user-agent']
  const business = await visitedBusiness(ctx.db, params.id, actor?.id ?? null)
  if (!business) throw notFound('Business not found.')
  if (business.isOwn || business.isBlocked || isProgram(userAgent) || isPrefetch(request.headers)) return
  const at = ctx.clock.now()
  const identity = actor ? { accountId: actor.id } : { addressGroup: addressGroup(request.ip), userAgent: userAgent ?? '' }
  const visitor = visitorKey(await counting.salts.of(at), business.id, identity)
  counting.buffer.add(
    body.visits.map(({ kind, subject }) => ({
      at,
      businessId: business.id,
      kind,
      source: body.source,
      subjectId: subject ?? null,
      visitor,
    })),
  )
}

const isProgram = (userAgent: string | undefined): boolean => !userAgent || isbot(userAgent)

/** Prefetched or prerendered by the browser. */
const isPrefetch = (headers: Record<string, string | string[] | undefined>): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) => /prefetch|prerender|preview/i.test(String(headers[name] ?? '')))

const flushMs = 1000
const batchSize = 500
/** Limit on buffered visits during a database outage; visits beyond it are dropped. */
const maxWaiting = 20_000

export type VisitBuffer = {
  add(visits: readonly Visit[]): void
  /** Writes everything buffered, including visits that arrive in the meantime. */
  flush(): Promise<void>
}

/**
 * Buffers visits and writes them in batches, so that requests don't wait for inserts. While the database is up, a killed process loses at
 * most the last second of visits; a clean shutdown writes all of them.
 */
export function createVisitBuffer({ db, log }: Pick<Context, 'db' | 'log'>): VisitBuffer {
  let waiting: Visit[] = []
  let timer: NodeJS.Timeout | null = null
  let writing: Promise<void> = Promise.resolve()

  const writeAll = async () => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchSize)
      await addVisits(db, batch)
      waiting = waiting.slice(batch.length)
    }
  }
  const flush = () => {
    if (timer) clearTimeout(timer)
    timer = null
    // Writes batches one after another, so that a repeat in the next batch finds the first visit.
    writing = writing.then(writeAll).catch((error: unknown) => {
      log.error({ err: error, waiting: waiting.length }, 'visits could not be saved; retrying with the next ones')
    })
    return writing
  }
  return {
    add(visits) {
      waiting.push(...visits.slice(0, Math.max(0, maxWaiting - waiting.length)))
      if (waiting.length >= batchSize) void flush()
      else timer ??= setTimeout(() => void flush(), flushMs)
    },
    flush,
  }
}

/** Milliseconds after which the same action by the same visitor counts again. */
const repeatMs = 30 * minuteMs

/** The business being visited. `isOwn`: the visitor belongs to its team. `isBlocked`: the visitor has blocked it. */
const visitedBusiness = (db: Db, idOrSlug: string, userId: string | null) =>
  db
    .selectFrom('businesses')
    .select([
      'id',
      sql<boolean>`exists (select from business_members where business_id = businesses.id and user_id = ${userId}::uuid)`.as('isOwn'),
      sql<boolean>`exists (select from business_blocks where business_id = businesses.id and user_id = ${userId}::uuid)`.as('isBlocked'),
    ])
    .where(isUuid(idOrSlug) ? 'id' : 'slug', '=', idOrSlug)
    .executeTakeFirst()

/** Skips repeats, even across processes, and subjects of another business. */
async function addVisits(db: Db, visits: readonly Visit[]): Promise<void> {
  const earliest = Math.min(...visits.map(({ at }) => at.getTime()))
  await sql`
    insert into visit_events (at, business_id, kind, source, subject_id, visitor)
    select distinct on (business_id, kind, subject_id, visitor) at, business_id, kind, source, subject_id, visitor
    from unnest(
      ${visits.map(({ at }) => at.toISOString())}::timestamptz[],
      ${visits.map(({ businessId }) => businessId)}::uuid[],
      ${visits.map(({ kind }) => kind)}::text[],
      ${visits.map(({ source }) => source)}::text[],
      ${visits.map(({ subjectId }) => subjectId)}::uuid[],
      ${visits.map(({ visitor }) => visitor.toString())}::bigint[]) as fresh (at, business_id, kind, source, subject_id, visitor)
    where not exists (
        select from visit_events as earlier
        where earlier.visitor = fresh.visitor and earlier.business_id = fresh.business_id and earlier.kind = fresh.kind
          and earlier.subject_id is not distinct from fresh.subject_id
          and earlier.at > ${new Date(earliest - repeatMs)}::timestamptz and earlier.at > fresh.at - ${repeatMs / 1000} * interval '1 second')
      and (fresh.kind <> 'product'
        or exists (select from products where products.id = fresh.subject_id and products.business_id = fresh.business_id))
      and (fresh.kind <> 'post'
        or exists (select from posts where posts.id = fresh.subject_id and posts.business_id = fresh.business_id))
    order by business_id, kind, subject_id, visitor, at`.execute(db)
}

/** An account, or an address group with a user agent. Only in memory, and only during a request. */
type Identity = { accountId: string } | { addressGroup: string; userAgent: string }

/**
 * Identifies a visitor of one business on one day. It can't be linked to another day or business, nor, once the day's salt is deleted, to
 * the visitor.
 */
export function visitorKey(salt: Buffer, businessId: string, identity: Identity): bigint {
  const who = 'accountId' in identity ? ['account', identity.accountId] : ['address', identity.addressGroup, identity.userAgent]
  return createHmac('sha256', salt)
    .update(JSON.stringify([businessId, ...who]))
    .digest()
    .readBigInt64BE()
}

/** The salt of a UTC day, shared by all processes; created on first use. */
export function createSalts(db: Db): { of(time: Date): Promise<Buffer> } {
  let known: { day: Day; salt: Promise<Buffer> } | null = null
  return {
    of(time) {
      const day = utcDate(time)
      if (known?.day !== day) {
        const salt = readSalt(db, day)
        known = { day, salt }
        salt.catch(() => {
          known = null
        })
      }
      return known.salt
    },
  }
}

async function readSalt(db: Db, day: Day): Promise<Buffer> {
  await db
    .insertInto('visit_salts')
    .values({ day, salt: randomBytes(32) })
    .onConflict((conflict) => conflict.column('day').doNothing())
    .execute()
  return (await db.selectFrom('visit_salts').select('salt').where('day', '=', day).executeTakeFirstOrThrow()).salt
}

/** Keeps today's salt, which is still in use. */
export const dropOldSalts = (db: Db, now: Date) => db.deleteFrom('visit_salts').where('day', '<', utcDate(now)).execute()
