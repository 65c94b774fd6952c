import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { AdminBusiness, AdminCommunity, AuditRow } from '#contracts/admin.endpoints.ts'
import { businessPlans, businessToolsPlan } from '#contracts/business-plans.ts'
import type { Db } from '#server/db/connect.ts'
import { containsWord, searchWords } from '#server/features/businesses/index.ts'
import { bylineColumns, peopleById, toPerson, unmoderatedName } from '#server/features/people/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'

type Query = { limit: number; cursor?: string | undefined; q: string }
type BusinessQuery = Query & { owned: 'any' | 'yes' | 'no' }

const planNames = new Map([...businessPlans, businessToolsPlan].map(({ id, name }) => [id, name]))

export async function listBusinesses({ db, clock }: Context, query: BusinessQuery): Promise<Page<AdminBusiness>> {
  const page = toPage(await findBusinesses(db, query), query.limit, (row) => [row.id])
  const ids = page.items.map(({ id }) => id)
  const [owners, plans] = await Promise.all([ownersOf(db, 'business', ids), plansOf(db, ids, clock.now())])
  return {
    ...page,
    items: page.items.map((row) => ({
      id: row.id,
      slug: row.slug,
      name: row.name,
      type: row.type,
      location: row.location,
      address: row.address,
      owner: owners.get(row.id) ?? null,
      licenseStanding: row.license_standing,
      licenseVerifiedThrough: row.license_verified_through,
      plans: plans.get(row.id) ?? [],
      isDemo: row.is_demo,
      isHidden: row.moderation !== null,
      createdAt: row.created_at.toISOString(),
    })),
  }
}

function findBusinesses(db: Db, { limit, cursor, q, owned }: BusinessQuery) {
  const after = decodeCursor(cursor, ['id'])
  let query = db
    .selectFrom('businesses')
    .select([
      'id',
      'slug',
      'name',
      'type',
      'location',
      'address',
      'license_standing',
      'license_verified_through',
      'is_demo',
      'moderation',
      'created_at',
    ])
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (isUuid(q.toLowerCase())) query = query.where('id', '=', q.toLowerCase())
  else for (const word of searchWords(q)) query = query.where((eb) => containsWord(eb.ref('search_text'), word))
  if (owned !== 'any') query = query.where('claimed_at', owned === 'yes' ? 'is not' : 'is', null)
  if (after) query = query.where('id', '<', after[0])
  return query.execute()
}

async function plansOf(db: Db, ids: readonly string[], now: Date): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom('agreements')
    .select(['business_id', 'plan_id'])
    .distinct()
    .where(sql<boolean>`business_id = any(${ids}::uuid[])`)
    .where('plan_id', 'is not', null)
    .where('entitled_until', '>', now)
    .execute()
  const plans = new Map<string, string[]>()
  for (const { business_id, plan_id } of rows) {
    if (business_id === null || plan_id === null) continue
    plans.set(business_id, [...(plans.get(business_id) ?? []), planNames.get(plan_id) ?? plan_id].sort())
  }
  return plans
}

/** Leaves out private communities, which only their members see. Problems in them reach moderators through reports. */
export async function listAllCommunities({ db }: Context, query: Query): Promise<Page<AdminCommunity>> {
  const page = toPage(await findCommunities(db, query), query.limit, (row) => [row.id])
  const owners = await ownersOf(
    db,
    'community',
    page.items.map(({ id }) => id),
  )
  return {
    ...page,
    items: page.items.map((row) => ({
      id: row.id,
      slug: row.slug,
      name: row.name,
      visibility: row.visibility === 'public' ? 'public' : 'invite_only',
      isVerified: row.is_verified,
      isHidden: row.moderation !== null,
      isDemo: row.is_demo,
      membersCount: row.member_count,
      postsCount: row.post_count,
      owner: owners.get(row.id) ?? null,
      openCases: row.open_cases ?? 0,
      createdAt: row.created_at.toISOString(),
    })),
  }
}

function findCommunities(db: Db, { limit, cursor, q }: Query) {
  const after = decodeCursor(cursor, ['id'])
  let query = db
    .selectFrom('communities')
    .select(['id', 'slug', 'name', 'visibility', 'is_verified', 'moderation', 'is_demo', 'member_count', 'post_count', 'created_at'])
    .select((eb) =>
      eb
        .selectFrom('moderation_cases')
        .select((e) => e.fn.countAll<number>().as('count'))
        .whereRef('moderation_cases.community_id', '=', 'communities.id')
        .where('moderation_cases.status', '=', 'open')
        .as('open_cases'),
    )
    .where('visibility', '<>', 'private')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (isUuid(q.toLowerCase())) query = query.where('id', '=', q.toLowerCase())
  else for (const word of searchWords(q)) query = query.where((eb) => containsWord(eb.ref('search_text'), word))
  if (after) query = query.where('id', '<', after[0])
  return query.execute()
}

/** By the ID of the business or community. Leaves out those without an owner. */
async function ownersOf(
  db: Db,
  kind: 'business' | 'community',
  ids: readonly string[],
): Promise<Map<string, { id: string; name: string }>> {
  const thing = sql.ref<string>(`members.${kind}_id`)
  const rows = await db
    .selectFrom('users')
    .innerJoin(sql<{ user_id: string; role: string }>`${sql.table(`${kind}_members`)}`.as('members'), 'members.user_id', 'users.id')
    .select(bylineColumns)
    .select(thing.as('thing_id'))
    .where(sql<boolean>`${thing} = any(${ids}::uuid[])`)
    .where('members.role', '=', 'owner')
    .execute()
  return new Map(rows.map((row) => [row.thing_id, { id: row.id, name: unmoderatedName(row) }]))
}

type AuditQuery = {
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
export async function listAudit(ctx: Context, query: AuditQuery): Promise<Page<AuditRow>> {
  const { db } = ctx
  const page = toPage(await findRows(db, query, await actionsOf(ctx, query.action)), query.limit, (row) => [row.sequence])
  const affected = await affectedPeople(
    db,
    page.items.flatMap(({ details }) => plain(details).actionId ?? []),
  )
  const affectedId = (row: { details: unknown }) => affected.get(String(plain(row.details).actionId)) ?? null
  const ids = page.items.flatMap((row) => [row.actor_id, row.subject_id, row.business_id, affectedId(row)]).filter((id) => id !== null)
  const [people, businesses] = await Promise.all([
    peopleById(db, ids, (row) => toPerson({ ...row, profile_moderation: null })),
    businessesOf(db, ids),
  ])
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
      person: namedPerson(people.get(affectedId(row) ?? '')),
      business: (row.business_id !== null && businesses.get(row.business_id)) || null,
      details: plain(row.details),
      hash: row.hash,
    })),
  }
}

/**
 * One action, or all that start with a prefix such as `person`; null for any. Listing their names lets PostgreSQL estimate how rare they
 * are, so it doesn't read the whole log for a few rows.
 */
async function actionsOf(ctx: Context, asked: string | undefined): Promise<string[] | null> {
  if (!asked) return null
  return asked.includes('.') ? [asked] : (await listAuditActions(ctx)).filter((action) => action.startsWith(`${asked}.`))
}

function findRows(db: Db, { limit, cursor, subject, actor, business, from, to }: AuditQuery, actions: string[] | null) {
  const after = decodeCursor(cursor, ['integer'])
  let query = db
    .selectFrom('audit_log')
    .select(['sequence', 'at', 'actor_id', 'action', 'subject_type', 'subject_id', 'business_id', 'details', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(limit + 1)
  if (after) query = query.where('sequence', '<', after[0])
  if (actions) query = query.where(sql<boolean>`action = any(${actions}::text[])`)
  if (subject) query = query.where('subject_id', '=', subject)
  if (actor) query = query.where('actor_id', '=', actor)
  if (business) query = query.where('business_id', '=', business)
  if (from) query = query.where('at', '>=', new Date(from))
  if (to) query = query.where('at', '<=', new Date(to))
  return query.execute()
}

const namedPerson = (person: { id: string; name: string } | undefined) => (person ? { id: person.id, name: person.name } : null)

/** The people that moderators' actions were about, by the action's ID. */
async function affectedPeople(db: Db, actionIds: readonly unknown[]): Promise<Map<string, string | null>> {
  const rows = await db
    .selectFrom('moderation_actions')
    .select(['id', 'user_id'])
    .where(sql<boolean>`id = any(${actionIds.map(String).filter(isUuid)}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row.user_id]))
}

/** Drops values of types that are never logged. */
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
