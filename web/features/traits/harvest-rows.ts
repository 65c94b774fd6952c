import { type Harvest, NewHarvest } from '../../../contracts/harvests.ts'
import { type Measure, shown, stored, type Units } from '../../lib/units.ts'
import type { SheetTexts } from '../../ui/sheet/use-sheet-texts.ts'
import { figure, isDay } from './trait-values.ts'

const keys = ['harvestedOn', 'flowerDays', 'wetGrams', 'dryGrams', 'trimGrams', 'washYieldPercent'] as const
export type HarvestKey = (typeof keys)[number]
export type HarvestFacts = Pick<NewHarvest, HarvestKey>

export const measureOf = (key: HarvestKey): Measure => (key.endsWith('Grams') ? 'mass' : 'plain')

/** What the sheet shows of harvests that are written down. */
export const harvestTexts = (harvests: readonly Harvest[], units: Units): SheetTexts =>
  Object.fromEntries(
    harvests.map((harvest) => [
      harvest.plantId,
      Object.fromEntries(keys.flatMap((key) => (harvest[key] === null ? [] : [[key, textOf(harvest[key], key, units)]]))),
    ]),
  )

const textOf = (value: number | string, key: HarvestKey, units: Units) =>
  String(typeof value === 'number' ? shown(value, measureOf(key), units) : value)

/**
 * The rows of a sheet that say something else than before. A row with a wrong cell stays back; one without a day was cut on `usualDay`.
 * Weights that nobody changed stay as they are stored, and not as they are rounded in ounces.
 */
export function readHarvests(
  texts: SheetTexts,
  before: SheetTexts,
  usualDay: string,
  { harvests, units }: { harvests: readonly Harvest[]; units: Units },
): { rows: { plantId: string; facts: HarvestFacts }[]; errors: Record<string, Record<string, string>> } {
  const rows: { plantId: string; facts: HarvestFacts }[] = []
  const errors: Record<string, Record<string, string>> = {}
  const known = new Map(harvests.map((harvest) => [harvest.plantId, harvest]))
  for (const [plantId, row] of Object.entries(texts)) {
    const typedIn = (key: HarvestKey) => row[key]?.trim() ?? ''
    const isAsBefore = (key: HarvestKey) => typedIn(key) === (before[plantId]?.[key] ?? '')
    if (keys.every(isAsBefore)) continue
    if (keys.every((key) => typedIn(key) === '')) continue
    const wrong: Record<string, string> = {}
    const typed: Record<string, unknown> = { plantId, harvestedOn: typedIn('harvestedOn') || usualDay }
    if (!isDay(String(typed.harvestedOn))) wrong.harvestedOn = 'A day, like 2026-11-21'
    for (const key of keys.slice(1)) {
      const text = typedIn(key)
      const number = text === '' ? null : figure(text)
      if (text !== '' && number === null) wrong[key] = 'Not a number'
      const written = known.get(plantId)?.[key] ?? null
      // Of a harvest that was changed here before, `before` is newer than the list.
      const isKept = isAsBefore(key) && written !== null && textOf(written, key, units) === text
      typed[key] = isKept ? written : number === null ? null : stored(number, measureOf(key), units)
    }
    const read = NewHarvest.safeParse(typed)
    if (!read.success) for (const { path, message } of read.error.issues) wrong[String(path[0])] ??= message
    if (Object.keys(wrong).length > 0 || !read.success) errors[plantId] = wrong
    else {
      const { id: _id, plantId: _plantId, notes: _notes, ...facts } = read.data
      rows.push({ plantId, facts })
    }
  }
  return { rows, errors }
}

/** Dry weight is usually 21 to 32 % of fresh weight. A hint: some plants lie outside of it, and many mistakes do. */
export const usualDryShare = { low: 0.21, high: 0.32 }

/** Plants whose dry weight is an unusual share of the fresh one. */
export function unusualShares(texts: SheetTexts): { plantId: string; share: number }[] {
  return Object.entries(texts).flatMap(([plantId, row]) => {
    const [wet, dry] = [figure(row.wetGrams ?? ''), figure(row.dryGrams ?? '')]
    if (wet === null || dry === null || wet <= 0) return []
    const share = dry / wet
    return share < usualDryShare.low || share > usualDryShare.high ? [{ plantId, share }] : []
  })
}
