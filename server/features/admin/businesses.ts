import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import type { AdminBusiness } from '#contracts/admin.endpoints.ts'
import { businessPlans, businessToolsPlan } from '#contracts/business-plans.ts'
import type { Db } from '#server/db/connect.ts'
import { containsWord, searchWords } from '#server/features/businesses/index.ts'
import type { Context } from '#server/kernel/context.ts'
import { decodeCursor, type Page, toPage } from '#server/kernel/keyset.ts'
import { ownersOf } from './communities.ts'

type Query = { limit: number; cursor?: string | undefined; q: string; owned: 'any' | 'yes' | 'no' }

const planNames = new Map([...businessPlans, businessToolsPlan].map(({ id, name }) => [id, name]))

export async function listBusinesses({ db, clock }: Context, query: Query): Promise<Page<AdminBusiness>> {
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

function findBusinesses(db: Db, { limit, cursor, q, owned }: Query) {
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
