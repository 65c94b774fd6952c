import { isImpossibleShare, knownAnalyte } from '#agronomy/analytes.ts'
import { deleteHarvest, recordHarvests, updateHarvest } from '#contracts/calls/traits.ts'
import { growthStages } from '#contracts/choices.ts'
import type { GrowthStage } from '#contracts/grow-logs.ts'
import type { LabResult, NewLabResult } from '#contracts/traits.endpoints.ts'
import { type Harvest, HarvestChange, NewHarvest, type Trait } from '#contracts/traits.ts'
import type { PendingWrite } from '#web/entities/offline/use-outbox.ts'
import { figure, isDay, readValue } from '#web/entities/traits/trait-words.ts'
import { type Measure, shown, stored, type Units, withUnit } from '#web/lib/units.ts'
import type { SheetTexts } from '#web/ui/sheet/sheet.tsx'
import type { NewValue } from './observation-writes.ts'

export const rowsWithText = (texts: SheetTexts): string[] =>
  Object.entries(texts).flatMap(([id, row]) => (Object.values(row).some((text) => text.trim() !== '') ? [id] : []))

/** Rows are plants, columns are traits. Leaves out the whole row if a cell has an error. */
export function readScores(
  texts: SheetTexts,
  traits: readonly Pick<Trait, 'id' | 'kind' | 'options' | 'unit'>[],
  observedOn: string,
): { values: NewValue[]; savedRows: string[]; errors: Record<string, Record<string, string>> } {
  const values: NewValue[] = []
  const savedRows: string[] = []
  const errors: Record<string, Record<string, string>> = {}
  for (const plantId of rowsWithText(texts)) {
    const wrong: Record<string, string> = {}
    const ofRow: NewValue[] = []
    for (const trait of traits) {
      const read = readValue(trait, texts[plantId]?.[trait.id] ?? '')
      if (read === null) continue
      if ('error' in read) wrong[trait.id] = read.error
      else ofRow.push({ traitId: trait.id, plantId, observedOn, value: read.value })
    }
    if (Object.keys(wrong).length > 0) errors[plantId] = wrong
    else {
      savedRows.push(plantId)
      values.push(...ofRow)
    }
  }
  return { values, savedRows, errors }
}

const keys = ['harvestedOn', 'flowerDays', 'wetGrams', 'dryGrams', 'trimGrams', 'washYieldPercent'] as const
export type HarvestKey = (typeof keys)[number]
export type HarvestFacts = Pick<NewHarvest, HarvestKey>

/** The harvest that a row's edits are based on. */
export type HarvestBase = { [Key in HarvestKey]: Harvest[Key] | null } & Pick<Harvest, 'id' | 'version'>

/** For a row that had no harvest. The server refuses changes of version 0, so a harvest recorded in the meantime isn't overwritten. */
export const baseOfNone = (id: string): HarvestBase => ({
  ...{ harvestedOn: null, flowerDays: null, wetGrams: null, dryGrams: null, trimGrams: null, washYieldPercent: null },
  id,
  version: 0,
})

const measureOf = (key: HarvestKey): Measure => (key.endsWith('Grams') ? 'mass' : 'plain')

export const harvestTexts = (harvests: readonly (HarvestBase & Pick<Harvest, 'plantId'>)[], units: Units): SheetTexts =>
  Object.fromEntries(
    harvests.map((harvest) => [
      harvest.plantId,
      Object.fromEntries(
        keys.flatMap((key) => {
          const value = harvest[key]
          return value === null ? [] : [[key, String(typeof value === 'number' ? shown(value, measureOf(key), units) : value)]]
        }),
      ),
    ]),
  )

type PendingHarvests = Pick<PendingWrite, 'method' | 'path' | 'params' | 'body' | 'hold'>

/** Leaves out the harvests that a pending entry deletes. */
export function withoutDeleted(harvests: readonly Harvest[], writes: readonly PendingHarvests[]): Harvest[] {
  const isDeletion = ({ method, path, hold }: PendingHarvests) => method === deleteHarvest.method && path === deleteHarvest.path && !hold
  const deleted = new Set(writes.filter(isDeletion).map(({ params }) => params.id))
  return harvests.filter(({ id }) => !deleted.has(id))
}

/** The harvests as they will be once this device's pending entries have arrived. Leaves out entries that wait for the person's decision. */
export function withPendingHarvests(
  harvests: readonly Harvest[],
  writes: readonly PendingHarvests[],
): (HarvestBase & Pick<Harvest, 'plantId'>)[] {
  const left = withoutDeleted(harvests, writes)
  const all = new Map(left.map((harvest): [string, HarvestBase & Pick<Harvest, 'plantId'>] => [harvest.plantId, harvest]))
  for (const { method, path, params, body, hold } of writes) {
    if (hold) continue
    if (path === recordHarvests.path) {
      for (const harvest of body.harvests as (HarvestFacts & Pick<Harvest, 'id' | 'plantId'>)[]) {
        if (!all.has(harvest.plantId)) all.set(harvest.plantId, { ...harvest, version: 1 })
      }
    }
    const isChange = method === updateHarvest.method && path === updateHarvest.path
    const changed = isChange && [...all.values()].find(({ id }) => id === params.id)
    if (changed) all.set(changed.plantId, { ...changed, ...(body as Partial<HarvestFacts>), version: changed.version })
  }
  return [...all.values()]
}

export type HarvestRows = {
  added: { plantId: string; facts: HarvestFacts }[]
  corrected: { plantId: string; id: string; change: Partial<HarvestFacts> & Pick<Harvest, 'version'> }[]
  errors: Record<string, Record<string, string>>
}

/**
 * Includes only changed rows without errors. A new row without a day uses `usualDay`. A correction has only the changed cells, and the
 * version that the row was based on. If others changed only other cells since, it has the current version, because nothing conflicts.
 */
export function readHarvests(
  texts: SheetTexts,
  before: SheetTexts,
  usualDay: string,
  { bases, harvests, units }: { bases: ReadonlyMap<string, HarvestBase>; harvests: readonly Harvest[]; units: Units },
): HarvestRows {
  const rows: HarvestRows = { added: [], corrected: [], errors: {} }
  const current = new Map(harvests.map((harvest) => [harvest.plantId, harvest]))
  for (const [plantId, row] of Object.entries(texts)) {
    const typedIn = (key: HarvestKey) => row[key]?.trim() ?? ''
    const typed = keys.filter((key) => typedIn(key) !== (before[plantId]?.[key] ?? ''))
    if (typed.length === 0) continue
    const theirs = current.get(plantId)
    const known = bases.get(plantId)
    const base = theirs && theirs.id !== known?.id ? baseOfNone(theirs.id) : known
    const wrong: Record<string, string> = {}
    const facts: Record<string, unknown> = {}
    for (const key of base ? typed : keys) {
      const text = typedIn(key)
      if (key === 'harvestedOn') {
        facts[key] = base ? text : text || usualDay
        if (!isDay(String(facts[key]))) wrong[key] = 'Enter a date such as 2026-11-21'
        continue
      }
      const number = text === '' ? null : figure(text)
      if (text !== '' && number === null) wrong[key] = 'Enter a number'
      facts[key] = number === null ? null : stored(number, measureOf(key), units)
    }
    if (base && keys.every((key) => typedIn(key) === '')) wrong.harvestedOn = 'To delete this harvest, open the plant’s page'
    if (base) {
      const changed = Object.entries(facts).filter(([key, value]) => value !== base[key as HarvestKey])
      const isUndisputed = changed.every(([key]) => theirs?.[key as HarvestKey] === base[key as HarvestKey])
      const version = theirs && isUndisputed ? theirs.version : base.version
      const change: HarvestRows['corrected'][number]['change'] = { ...Object.fromEntries(changed), version }
      const read = HarvestChange.safeParse(change)
      if (!read.success) for (const { path, message } of read.error.issues) wrong[String(path[0])] ??= message
      if (Object.keys(wrong).length > 0 || !read.success) rows.errors[plantId] = wrong
      else if (changed.length > 0) rows.corrected.push({ plantId, id: base.id, change })
      continue
    }
    const read = NewHarvest.safeParse({ ...facts, plantId })
    if (!read.success) for (const { path, message } of read.error.issues) wrong[String(path[0])] ??= message
    if (Object.keys(wrong).length > 0 || !read.success) rows.errors[plantId] = wrong
    else {
      const { id: _id, plantId: _plantId, notes: _notes, ...rest } = read.data
      rows.added.push({ plantId, facts: rest })
    }
  }
  return rows
}

/** @param wrong changed rows that can't be saved because of an error */
export function changedText(changed: number, wrong: number, plants: number): string {
  if (wrong === 0) return changed === 0 ? 'Nothing to save.' : `${changed} of ${plants} plants changed.`
  return `${changed + wrong} of ${plants} plants changed, ${wrong === 1 ? '1 with an error' : `${wrong} with errors`}.`
}

/** Only a hint: some plants are outside this range, and so are many mistakes. */
const usualDryShare = { low: 0.21, high: 0.32 }

export function unusualShares(texts: SheetTexts): { plantId: string; share: number }[] {
  return Object.entries(texts).flatMap(([plantId, row]) => {
    const [wet, dry] = [figure(row.wetGrams ?? ''), figure(row.dryGrams ?? '')]
    if (wet === null || dry === null || wet <= 0) return []
    const share = dry / wet
    return share < usualDryShare.low || share > usualDryShare.high ? [{ plantId, share }] : []
  })
}

export function analytesOf(
  traits: readonly Pick<Trait, 'analyte' | 'isArchived'>[],
  results: readonly Pick<LabResult, 'analyte'>[],
): string[] {
  const all = [
    ...traits.flatMap(({ analyte, isArchived }) => (isArchived ? [] : (analyte ?? []))),
    ...results.map(({ analyte }) => analyte),
  ]
  return all.filter((analyte, at) => all.findIndex((other) => other.toLowerCase() === analyte.toLowerCase()) === at)
}

type LabFigure = { value: number | null; quantificationLimit: number | null }

/** "21.4", or "<0.05" and "< LOQ 0.05" for values below the limit of quantification. */
export function readFigure(typed: string): LabFigure | { error: string } | null {
  const text = typed.trim()
  if (text === '') return null
  const below = /^<\s*(?:LOQ)?\s*(.*?)\s*%?$/i.exec(text)
  const number = figure((below?.[1] ?? text.replace(/\s*%$/, '')) as string)
  if (number === null || number < 0) {
    return { error: below ? 'Enter the limit after “<”, such as <0.05' : 'Enter a number, or <0.05 if it’s below the limit' }
  }
  return below ? { value: null, quantificationLimit: number } : { value: number, quantificationLimit: null }
}

type LabSheet = Pick<NewLabResult, 'lab' | 'testedOn' | 'samplePosition' | 'unit'>

/** Rows are plants, columns are analytes, from one lab and day. Leaves out rows with an error. */
export function readLabResults(
  texts: SheetTexts,
  analytes: readonly string[],
  sheet: LabSheet,
): { results: Omit<NewLabResult, 'id'>[]; savedRows: string[]; errors: Record<string, Record<string, string>> } {
  const results: Omit<NewLabResult, 'id'>[] = []
  const savedRows: string[] = []
  const errors: Record<string, Record<string, string>> = {}
  for (const plantId of rowsWithText(texts)) {
    const wrong: Record<string, string> = {}
    const ofRow: Omit<NewLabResult, 'id'>[] = []
    for (const analyte of analytes) {
      const read = readFigure(texts[plantId]?.[analyte] ?? '')
      if (read === null) continue
      if ('error' in read) wrong[analyte] = read.error
      else if (isImpossibleShare({ ...read, unit: sheet.unit })) wrong[analyte] = 'A percentage can be at most 100'
      else ofRow.push({ ...sheet, plantId, analyte, ...read })
    }
    if (Object.keys(wrong).length > 0) errors[plantId] = wrong
    else {
      savedRows.push(plantId)
      results.push(...ofRow)
    }
  }
  return { results, savedRows, errors }
}

/** Only a hint: flower above this is very rare, and a misplaced decimal point isn't. */
const usualMaxCannabinoid = 40

/** Results of cannabinoids that are unusually high for flower. */
export const unusualResults = <Result extends Pick<LabResult, 'analyte' | 'value' | 'unit'>>(results: readonly Result[]): Result[] =>
  results.filter(({ analyte, value, unit }) => {
    const known = knownAnalyte(analyte)
    const isCannabinoid = known?.group === 'cannabinoid' || (known?.group === 'total' && known.name !== 'Total terpenes')
    return isCannabinoid && unit.trim() === '%' && value !== null && value > usualMaxCannabinoid
  })

/** "21.4%", "below 0.05%". */
export const figureWords = ({ value, quantificationLimit, unit }: Pick<LabResult, 'value' | 'quantificationLimit' | 'unit'>): string =>
  value === null ? `below ${withUnit(`${quantificationLimit}`, unit)}` : withUnit(value, unit)

type Link = { id: string; correctsId: string | null }

/** Each current observation is followed by those it corrected, latest first. */
export function observationChains<Each extends Link & { isCurrent: boolean }>(all: readonly Each[]): { last: Each; corrected: Each[] }[] {
  const byId = new Map(all.map((each) => [each.id, each]))
  return all
    .filter(({ isCurrent }) => isCurrent)
    .map((last) => {
      const corrected: Each[] = []
      for (let before = last.correctsId; before !== null; ) {
        const found = byId.get(before)
        // The earlier observation is on a page that isn't loaded yet.
        if (!found) break
        corrected.push(found)
        before = found.correctsId
      }
      return { last, corrected }
    })
}

type Window = Pick<Trait, 'fromStage' | 'toStage'>

/** True if people observe the trait in one of these stages, or the stages are unknown. */
export function isInSeason({ fromStage, toStage }: Window, stages: ReadonlySet<GrowthStage>): boolean {
  if (stages.size === 0) return true
  const from = fromStage === null ? 0 : growthStages.indexOf(fromStage)
  const to = toStage === null ? growthStages.length - 1 : growthStages.indexOf(toStage)
  return [...stages].some((stage) => growthStages.indexOf(stage) >= from && growthStages.indexOf(stage) <= to)
}

/** Separates traits observed now from the others. If none is observed now, all are `now`. */
export function bySeason<Each extends Window>(traits: readonly Each[], stages: ReadonlySet<GrowthStage>): { now: Each[]; later: Each[] } {
  const now = traits.filter((trait) => isInSeason(trait, stages))
  return now.length === 0 ? { now: [...traits], later: [] } : { now, later: traits.filter((trait) => !now.includes(trait)) }
}
