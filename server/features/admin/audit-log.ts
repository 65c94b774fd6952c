import { sql } from 'kysely'
import type { AuditRow } from '#contracts/admin.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { peopleById } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'

type Query = {
  limit: number
  cursor?: string | undefined
  action?: string | undefined
  subject?: string | undefined
  actor?: string | undefined
  business?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

/** Newest first. The log stores only IDs; names are looked up when it is read. */
export async function listAudit({ db }: Context, query: Query): Promise<Page<AuditRow>> {
  const page = toPage(await findRows(db, query), query.limit, (row) => [row.sequence])
  const ids = page.items.flatMap((row) => [row.actor_id, row.subject_id, row.business_id]).filter((id) => id !== null)
  const [people, businesses] = await Promise.all([peopleById(db, ids), businessesOf(db, ids)])
  return {
    ...page,
    items: page.items.map((row) => ({
      sequence: row.sequence,
      at: row.at.toISOString(),
      action: row.action,
      actor: row.actor_id === null ? null : { id: row.actor_id, name: people.get(row.actor_id)?.name ?? null },
      subjectType: row.subject_type,
      subjectId: row.subject_id,
      subjectName:
        row.subject_type === 'user' || row.subject_type === 'person'
          ? (people.get(row.subject_id)?.name ?? null)
          : row.subject_type === 'business'
            ? (businesses.get(row.subject_id)?.name ?? null)
            : null,
      business: (row.business_id !== null && businesses.get(row.business_id)) || null,
      details: plain(row.details),
      hash: row.hash,
    })),
  }
}

function findRows(db: Db, { limit, cursor, action, subject, actor, business, from, to }: Query) {
  const after = decodeCursor(cursor, ['integer'])
  let query = db
    .selectFrom('audit_log')
    .select(['sequence', 'at', 'actor_id', 'action', 'subject_type', 'subject_id', 'business_id', 'details', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
  if (after) query = query.where('sequence', '<', after[0])
  if (action?.includes('.')) query = query.where('action', '=', action)
  // `starts_with` rather than LIKE, which treats an underscore as a wildcard.
  else if (action) query = query.where(sql<boolean>`starts_with(action, ${`${action}.`})`)
  if (subject) query = query.where('subject_id', '=', subject)
  if (actor) query = query.where('actor_id', '=', actor)
  if (business) query = query.where('business_id', '=', business)
  if (from) query = query.where('at', '>=', new Date(from))
  if (to) query = query.where('at', '<=', new Date(to))
  return query.execute()
}

/** Shows only values of the types the log writes; anything else in the column is dropped. */
function plain(details: unknown): AuditRow['details'] {
  const entries = typeof details === 'object' && details !== null ? Object.entries(details) : []
  return Object.fromEntries(entries.filter(([, value]) => value === null || ['string', 'number', 'boolean'].includes(typeof value)))
}

async function businessesOf(db: Db, ids: readonly string[]) {
  const rows = await db.selectFrom('businesses').select(['id', 'slug', 'name']).where(sql<boolean>`id = any(${ids}::uuid[])`).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** A loose index scan: the log may be long, but it has few distinct actions. */
export async function listAuditActions({ db }: Context): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    with recursive actions as (
      select min(action) as action from audit_log
      union all select (select min(action) from audit_log where action > actions.action) from actions where actions.action is not null
    ) select action from actions where action is not null order by action`.execute(db)
  return rows.map(({ action }) => action)
}
