import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { projectRoot } from '#server/config.ts'
import type { ItemRow, VariantRow } from '#server/features/menus/index.ts'
import { guessColumns } from './guess-columns.ts'
import { isAccepted } from './plan.ts'
import { planFile } from './plan-file.ts'
import { readMenuFile } from './read-menu-file.ts'

/** Twelve files in the styles of six points of sale, each with hand-written expected rows. */
const folder = path.join(projectRoot, 'tests/fixtures/menu-files')
const fileNames = fs.readdirSync(folder).filter((name) => !name.endsWith('.json'))

type Reading = { row: number } & Record<string, unknown>

const centsToText = (cents: number | null) => (cents === null ? undefined : (cents / 100).toFixed(2))
const sizeOf = ({ weight, weight_unit }: VariantRow) => [weight, weight_unit].filter((part) => part !== null).join(' ') || null
function potencyOf(item: ItemRow, field: 'thc' | 'cbd'): string | undefined {
  const [low, high, unit] = [item[field], item[`${field}_max`], item[`${field}_unit`]]
  if (low === null) return undefined
  return `${low}${high === null ? '' : `-${high}`}${unit === 'percent' ? '%' : (unit ?? '')}`
}

async function readingOf(name: string): Promise<Reading[]> {
  const file = await readMenuFile(fs.readFileSync(path.join(folder, name)))
  const { rows, added } = await planFile(file, guessColumns(file.header, file.rows), [], () => ({}))
  const itemOf = new Map(added.flatMap((item) => item.variants.map((variant) => [variant.id, { item, variant }] as const)))
  const rowOf = new Map<string, number>()
  return rows.map(({ read: { row, notes }, placed }): Reading => {
    if (!isAccepted(placed)) return placed.effect === 'inactive' ? { row, inactive: true } : { row, refused: placed.errors[0]?.field }
    const earlier = rowOf.get(placed.variant.id)
    if (earlier !== undefined) return { row, sameAs: earlier }
    rowOf.set(placed.variant.id, row)
    const { item, variant } = itemOf.get(placed.variant.id) as { item: ItemRow; variant: VariantRow }
    const entries = Object.entries({
      item: item.name,
      size: sizeOf(variant),
      price: centsToText(variant.price_cents),
      sale: centsToText(variant.sale_price_cents),
      member: centsToText(variant.member_price_cents),
      stock: variant.stock ?? undefined,
      isOut: variant.is_available && variant.stock !== 0 ? undefined : true,
      category: item.category ?? undefined,
      brand: item.brand ?? undefined,
      strainType: item.strain_type ?? undefined,
      thc: potencyOf(item, 'thc'),
      cbd: potencyOf(item, 'cbd'),
      batch: variant.batch ?? undefined,
      flagged: notes.length > 0 || undefined,
    })
    return { row, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) }
  })
}

it.each(fileNames)('reads the file %s as a person would', async (name) => {
  const expected = JSON.parse(fs.readFileSync(path.join(folder, name.replace(/\.\w+$/, '.expected.json')), 'utf8')) as Reading[]
  expect(await readingOf(name)).toEqual(expected)
})

it('has two files of each style', () => {
  expect(fileNames.map((name) => name.split('-')[0]).sort()).toEqual(
    ['blaze', 'cova', 'dutchie', 'flowhub', 'meadow', 'treez'].flatMap((style) => [style, style]),
  )
})
