import type { Db } from '#server/db/connect.ts'
import { allStrains } from '#server/features/strains/index.ts'
import { countAll } from './dataset-counts.ts'
import { idsOf } from './dataset-ids.ts'
import { peopleTables } from './dataset-people.ts'
import { postTables } from './dataset-posts.ts'
import { ownerOf, randomOf, type Shape } from './dataset-shape.ts'
import { named, type Table } from './dataset-table.ts'
import { paragraph, phrase } from './dataset-words.ts'
import { measuredAccount } from './load-dataset.ts'
import { loadTables } from './load-tables.ts'
import { below, oneOf } from './random.ts'

/**
 * Searchable content without likes, follows or notifications: the people, businesses and posts of the other datasets, with products
 * and communities.
 */
export const productsOf = (shape: Shape) => shape.businesses * 10
export const communitiesOf = (shape: Shape) => Math.round(shape.businesses / 20)

const idOf = (kind: number, index: number) => `0193a000-000${kind}-7000-8000-${index.toString(16).padStart(12, '0')}`
const made = ['Farms', 'Gardens', 'Extracts', 'Labs', 'Supply', 'Roots'] as const

function catalogTables(shape: Shape, businessId: (index: number) => string, personId: (index: number) => string): Table[] {
  const strains = allStrains()
  return [
    {
      name: 'products',
      columns: named('id business_id name low_price_cents category strain brand description is_available search_text'),
      *rows() {
        for (let index = 0; index < productsOf(shape); index++) {
          const random = randomOf(shape, 'details', 5_000_000 + index)
          // A few strains are on most menus.
          const strain = strains[Math.floor(strains.length * random() ** 3)]?.name ?? ''
          const brand = `${phrase(random, 1)} ${oneOf(random, made)} ${below(random, 400)}`
          const name = random() < 0.4 ? strain : `${strain} ${phrase(random, 1).toLowerCase()}`
          yield [
            ...[idOf(1, index), businessId(index % shape.businesses), name, 500 + below(random, 9000), 'Flower', strain, brand],
            ...[paragraph(random), random() < 0.9, `${name} ${brand}`.toLowerCase()],
          ]
        }
      },
    },
    {
      name: 'product_variants',
      columns: named('id product_id business_id position price_cents'),
      *rows() {
        for (let index = 0; index < productsOf(shape); index++) {
          yield [idOf(1, index), idOf(1, index), businessId(index % shape.businesses), 0, 1000]
        }
      },
    },
    {
      name: 'communities',
      columns: named('id slug name description category visibility created_by member_count search_text'),
      *rows() {
        for (let index = 0; index < communitiesOf(shape); index++) {
          const random = randomOf(shape, 'details', 50_000_000 + index)
          const name = phrase(random, 3)
          const visibility = random() < 0.1 ? 'private' : 'public'
          const owner = personId(ownerOf(shape, index))
          yield [
            idOf(2, index),
            `bench-community-${index}`,
            name,
            paragraph(random),
            'growing',
            visibility,
            owner,
            below(random, 5000),
            name.toLowerCase(),
          ]
        }
      },
    },
  ]
}

const wanted = ['users', 'businesses', 'business_members', 'posts']

export async function loadSearchDataset(db: Db, url: string, shape: Shape): Promise<void> {
  const measuredId = await measuredAccount(db, shape)
  const ids = idsOf(shape, measuredId)
  const tables = [
    ...[...peopleTables(shape, ids, countAll(shape)), ...postTables(shape, ids)].filter(({ name }) => wanted.includes(name)),
    ...catalogTables(shape, ids.business, ids.person),
  ]
  await loadTables(url, tables, (client) =>
    client.query("update users set email_verified = true, has_completed_onboarding = true, location = 'Denver, CO' where id = $1", [
      measuredId,
    ]),
  )
}
