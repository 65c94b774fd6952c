import { type Harvest, NewHarvest } from '../../../contracts/harvests.ts'
import type { SheetTexts } from '../../ui/sheet/use-sheet-texts.ts'
import { figure, isDay } from './trait-values.ts'

const keys = ['harvestedOn', 'flowerDays', 'wetGrams', 'dryGrams', 'trimGrams', 'washYieldPercent'] as const
export type HarvestKey = (typeof keys)[number]
export type HarvestFacts = Pick<NewHarvest, HarvestKey>

/** What the sheet shows of harvests that are written down. */
export const harvestTexts = (harvests: readonly Harvest[]): SheetTexts =>
  Object.fromEntries(
    harvests.map((harvest) => [
      harvest.plantId,
      Object.fromEntries(keys.flatMap((key) => (harvest[key] === null ? [] : [[key, String(harvest[key])]]))),
    ]),
  )

/**
 * The rows of a sheet that say something else than before. A row with a wrong cell stays back; one without a day was cut on `usualDay`.
 */
export function readHarvests(
  texts: SheetTexts,
  before: SheetTexts,
  usualDay: string,
): { rows: { plantId: string; facts: HarvestFacts }[]; errors: Record<string, Record<string, string>> } {
  const rows: { plantId: string; facts: HarvestFacts }[] = []
  const errors: Record<string, Record<string, string>> = {}
  for (const [plantId, row] of Object.entries(texts)) {
    const textOf = (key: HarvestKey) => row[key]?.trim() ?? ''
    if (keys.every((key) => textOf(key) === (before[plantId]?.[key] ?? ''))) continue
    if (keys.every((key) => textOf(key) === '')) continue
    const wrong: Record<string, string> = {}
    const typed: Record<string, unknown> = { plantId, harvestedOn: textOf('harvestedOn') || usualDay }
    if (!isDay(String(typed.harvestedOn))) wrong.harvestedOn = 'A day, like 2026-11-21'
    for (const key of keys.slice(1)) {
      const text = textOf(key)
      const number = text === '' ? null : figure(text)
      if (text !== '' && number === null) wrong[key] = 'Not a number'
      typed[key] = number
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
