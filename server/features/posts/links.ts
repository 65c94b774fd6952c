import { sql } from 'kysely'
import type { NewLink } from '#contracts/community-posts.ts'
import type { PostLink } from '#contracts/posts.ts'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { huntAccess } from '#server/features/hunts/index.ts'
import { pathOfStrain } from '#server/features/strains/index.ts'
import { invalidField } from '#server/kernel/errors.ts'
import { isBusinessVisible, type Reader, readerOf, type Viewer } from './visible-posts.ts'

/** The columns of `posts` that link to something; at most one is set. */
export type Linked = {
  linked_hunt_id: string | null
  linked_business_id: string | null
  linked_product_id: string | null
  linked_strain: string | null
}

const key = (kind: PostLink['kind'], id: string) => `${kind} ${id}`

/** The targets these posts link to, if the viewer may see them. */
export async function loadLinks(db: Db, viewer: Viewer, rows: readonly Linked[]): Promise<(row: Linked) => PostLink | null> {
  const reader = readerOf(viewer)
  const ids = (column: 'linked_hunt_id' | 'linked_business_id' | 'linked_product_id') => rows.flatMap((row) => row[column] ?? [])
  const found = await Promise.all([
    hunts(db, reader, ids('linked_hunt_id')),
    businesses(db, reader, ids('linked_business_id')),
    products(db, reader, ids('linked_product_id')),
  ])
  const links = new Map(found.flat().map((link) => [key(link.kind, link.id ?? ''), link]))
  return (row) => {
    if (row.linked_strain !== null) return strain(row.linked_strain)
    if (row.linked_hunt_id !== null) return links.get(key('hunt', row.linked_hunt_id)) ?? null
    if (row.linked_business_id !== null) return links.get(key('business', row.linked_business_id)) ?? null
    if (row.linked_product_id !== null) return links.get(key('product', row.linked_product_id)) ?? null
    return null
  }
}

/** @throws AppError invalid_input if the target isn't visible to the author */
export async function linkColumns(db: Db, viewer: Viewer, link: NewLink | null): Promise<Linked> {
  const none: Linked = { linked_hunt_id: null, linked_business_id: null, linked_product_id: null, linked_strain: null }
  if (link === null) return none
  if (link.kind === 'strain') return { ...none, linked_strain: link.name }
  const columns: Linked = { ...none, [`linked_${link.kind}_id`]: link.id }
  const linkOf = await loadLinks(db, viewer, [columns])
  if (linkOf(columns) === null) throw invalidField('link', 'This can’t be found or isn’t visible to you')
  return columns
}

const strain = (name: string): PostLink => ({
  kind: 'strain',
  id: null,
  name,
  detail: null,
  path: pathOfStrain(name) ?? `/search?q=${encodeURIComponent(name)}`,
})

async function hunts(db: Db, { id }: Reader, ids: readonly string[]): Promise<PostLink[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('hunts')
    .select(['id', 'hunt_name'])
    .where(sql<boolean>`hunts.id = ${pageIds(ids)}`)
    .where('moderation', 'is', null)
    .where(sql<boolean>`${huntAccess(id)} is not null`)
    .execute()
  return rows.map((hunt) => ({
    kind: 'hunt',
    id: hunt.id,
    name: hunt.hunt_name,
    detail: null,
    path: `/pheno-hunt/${hunt.id}`,
  }))
}

async function businesses(db: Db, reader: Reader, ids: readonly string[]): Promise<PostLink[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('businesses')
    .select(['id', 'slug', 'name', 'city', 'state'])
    .where(sql<boolean>`businesses.id = ${pageIds(ids)}`)
    .where('moderation', 'is', null)
    .where(isBusinessVisible(reader, sql`businesses.id`))
    .execute()
  return rows.map(({ id, slug, name, city, state }) => ({
    kind: 'business',
    id,
    name,
    detail: [city, state].filter(Boolean).join(', ') || null,
    path: `/business/${slug}`,
  }))
}

/** Products are visible to viewers of legal age at the business's location. */
async function products(db: Db, reader: Reader, ids: readonly string[]): Promise<PostLink[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('products')
    .innerJoin('businesses', 'businesses.id', 'products.business_id')
    .select(['products.id', 'products.name', 'businesses.name as business_name'])
    .where(sql<boolean>`products.id = ${pageIds(ids)}`)
    .where('products.moderation', 'is', null)
    .where('businesses.moderation', 'is', null)
    .where(isBusinessVisible(reader, sql`businesses.id`))
    .where(sql<boolean>`coalesce(${reader.isOfAge}, false)`)
    .execute()
  return rows.map((product) => ({
    kind: 'product',
    id: product.id,
    name: product.name,
    detail: product.business_name,
    path: `/product/${product.id}`,
  }))
}
