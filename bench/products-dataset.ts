import { productCategories, strainTypes } from '#contracts/menu-fields.rules.ts'
import type { Db } from '#server/db/connect.ts'
import { allStrains } from '#server/features/strains/index.ts'
import { cityPlace } from '#server/kernel/geo/gazetteer.ts'
import { idOf } from './dataset-ids.ts'
import { daysMs, randomOf, type Shape } from './dataset-shape.ts'
import { named, type Table } from './dataset-table.ts'
import { phrase } from './dataset-words.ts'
import { measuredAccount } from './load-dataset.ts'
import { loadTables } from './load-tables.ts'
import { below, oneOf } from './random.ts'

/** 10⁶ items make 20,000 menus. */
export const itemsPerMenu = 50

const cities = 3000
/** Width in degrees of the area around a city's center where its shops are. */
const spread = 0.3
const brands = ['Farms', 'Gardens', 'Extracts', 'Labs', 'Supply', 'Roots'] as const
const forms: Record<string, readonly string[]> = {
  Flower: ['Eighth', 'Smalls', 'Reserve'],
  'Pre-Rolls': ['Pre-Roll', 'Infused Pre-Roll'],
  Vapes: ['Cartridge', 'Disposable'],
  Edibles: ['Dark Chocolate', 'Milk Chocolate', 'Gummies', 'Cookies'],
  Drinks: ['Seltzer', 'Lemonade'],
}

export function productTables(shape: Shape, menus: number): Table[] {
  const shopId = (menu: number) => idOf(2, menu, new Date(shape.until.getTime() - daysMs(400)))
  const itemId = (item: number) => idOf(6, item, new Date(shape.until.getTime() - daysMs(300)))
  const strains = allStrains()
  const items = function* (fields: (item: number, menu: number) => readonly (string | number | boolean | Date | null)[]) {
    for (let item = 0; item < menus * itemsPerMenu; item++) yield fields(item, Math.floor(item / itemsPerMenu))
  }
  const shops = function* (fields: (menu: number) => readonly (string | number | boolean | Date | null)[]) {
    for (let menu = 0; menu < menus; menu++) yield fields(menu)
  }
  /** The lowest price, in cents, and the weight that it buys, in grams. */
  const priceOf = (item: number): [cents: number, grams: number] => {
    const random = randomOf(shape, 'details', 9_000_000 + item)
    return [800 + below(random, 7000), oneOf(random, [1, 1, 3.5, 3.5, 7])]
  }
  return [
    {
      name: 'businesses',
      columns: named(
        'id slug name type location city state country license_standing pin_latitude pin_longitude pin_precision search_text claimed_at',
      ),
      rows: () =>
        shops((menu) => {
          const random = randomOf(shape, 'details', menu)
          // Many shops are in the largest cities, and a few in each small one.
          const { name: city, state, label, latitude, longitude } = cityPlace(Math.floor(cities * random() ** 1.7))
          const name = `${phrase(random, 2)} ${menu}`
          return [
            ...[shopId(menu), `bench-shop-${menu}`, name, 'dispensary', label, city, state, 'US', 'listed'],
            ...[latitude + (random() - 0.5) * spread, longitude + (random() - 0.5) * spread, 'premise', name.toLowerCase(), shape.until],
          ]
        }),
    },
    {
      name: 'locations',
      columns: named('id business_id name time_zone has_hours'),
      rows: () => shops((menu) => [shopId(menu), shopId(menu), 'Main', 'America/Denver', menu % 10 < 7]),
    },
    {
      name: 'location_hours',
      columns: named('location_id weekday opens closes'),
      *rows() {
        for (let menu = 0; menu < menus; menu++)
          if (menu % 10 < 7)
            for (let day = 0; day < 7; day++) yield [shopId(menu), day, menu % 3 === 0 ? 0 : 540, menu % 3 === 0 ? 1440 : 1260]
      },
    },
    {
      name: 'menu_settings',
      columns: named('business_id currency tax_rate prices_include_tax'),
      rows: () => shops((menu) => [shopId(menu), 'USD', 8875, menu % 2 === 0]),
    },
    {
      name: 'products',
      columns: named(`id business_id name category strain strain_type brand thc thc_unit low_price_cents cents_per_gram is_available
        is_on_sale confirmed_at search_text`),
      rows: () =>
        items((item, menu) => {
          const random = randomOf(shape, 'details', 5_000_000 + item)
          const category = productCategories[Math.floor(productCategories.length * random() ** 1.5)] as string
          // A few strains are on most menus.
          const strain = strains[Math.floor(strains.length * random() ** 3)]?.name ?? ''
          const name = [strain, forms[category] ? oneOf(random, forms[category]) : ''].filter(Boolean).join(' ')
          const brand = `${phrase(random, 1)} ${oneOf(random, brands)}`
          const [cents, grams] = priceOf(item)
          const isOnSale = random() < 0.1
          // The shop's city uses a different number. With the same one, all menus of a city would be equally fresh.
          const confirmed = new Date(shape.until.getTime() - daysMs(randomOf(shape, 'details', 8_000_000 + menu)() * 20))
          return [
            ...[itemId(item), shopId(menu), name, category, strain, oneOf(random, strainTypes), brand, 10 + below(random, 25), 'percent'],
            ...[cents, Math.round(cents / grams), random() < 0.9, isOnSale, confirmed, `${name}\n${brand}\n${strain}`.toLowerCase()],
          ]
        }),
    },
    {
      name: 'product_variants',
      columns: named('id product_id business_id position weight weight_unit price_cents'),
      rows: () =>
        items((item, menu) => {
          const [cents, grams] = priceOf(item)
          return [itemId(item), itemId(item), shopId(menu), 0, grams, 'g', cents]
        }),
    },
  ]
}

export async function loadProductDataset(db: Db, url: string, shape: Shape, menus: number): Promise<void> {
  const measuredId = await measuredAccount(db, shape)
  await loadTables(url, productTables(shape, menus), (client) =>
    client.query("update users set email_verified = true, has_completed_onboarding = true, location = 'Denver, CO' where id = $1", [
      measuredId,
    ]),
  )
}
