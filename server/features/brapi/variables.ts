import { sql } from 'kysely'
import { maxTraitOptions } from '#contracts/limits.ts'
import { NewTrait, type Trait, TraitChange, type TraitKind, type TraitOption, type TraitSource } from '#contracts/traits.ts'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { createTrait, updateTrait } from '#server/features/traits/index.ts'
import { type BrapiQuery, countedPage, crop, infoOf, isOneOf, isTextOf, known, type QueryResult } from './asked.ts'
import { puiOf } from './germplasm.ts'
import { type GrownHunt, idsOfHunts, trialOf } from './hunts.ts'
import { type Body, checked, entryFor, RowError, requireId, sentFlag, sentNumber, sentObject, sentText, type Writer } from './write-call.ts'

export type TraitRow = {
  id: string
  hunt_id: string
  name: string
  kind: TraitKind
  source: TraitSource
  analyte: string | null
  unit: string
  options: readonly TraitOption[]
  direction: string
  low: number | null
  high: number | null
  target: number | null
  weight: number
  heritability: number | null
  must: Trait['must']
  is_expert: boolean
  version: number
  from_stage: string | null
  to_stage: string | null
  is_archived: boolean
  created_at: Date
}

/** A hunt's trait is a variable in BrAPI, with its own BrAPI trait, method and scale. All four have the ID of the hunt's trait. */
async function pageOfTraits({ ctx, hunts, filter, paging }: BrapiQuery) {
  const ids = ['observationVariableDbIds', 'traitDbIds', 'methodDbIds', 'scaleDbIds'].map((name) => filter[name])
  // A study's variables are those of its hunt.
  const studies = filter.studyDbIds
  const isOfStudy = studies
    ? sql`(${isOneOf(sql`traits.hunt_id`, studies)} or exists (
        select from runs where runs.hunt_id = traits.hunt_id and ${isOneOf(sql`runs.id`, studies)}))`
    : sql`true`
  return countedPage(
    (limit, offset) =>
      sql<TraitRow & { total: number }>`
        select count(*) over () as total, traits.* from traits
        where traits.hunt_id = ${pageIds(idsOfHunts(hunts))} and ${isOfStudy}
          and ${sql.join(
            ids.map((each) => isOneOf(sql`traits.id`, each)),
            sql` and `,
          )}
          and ${isTextOf(sql`traits.name`, filter.observationVariableNames)}
        order by traits.hunt_id, traits.position, traits.id limit ${limit} offset ${offset}`
        .execute(ctx.db)
        .then(({ rows }) => rows),
    paging,
  )
}

export async function traitRows(db: Db, ids: readonly string[]): Promise<Map<string, TraitRow>> {
  const { rows } = await sql<TraitRow>`select * from traits where id = ${pageIds(ids)}`.execute(db)
  return new Map(rows.map((row) => [row.id, row]))
}

type TraitView = (row: TraitRow, hunt: GrownHunt) => object

const readTraitsAs =
  (view: TraitView) =>
  async (asked: BrapiQuery): Promise<QueryResult> => {
    const { items, total } = await pageOfTraits(asked)
    const hunts = new Map<string, GrownHunt>(asked.hunts.map((hunt) => [hunt.id, hunt]))
    return { rows: items.map((row) => view(row, hunts.get(row.hunt_id) as GrownHunt)), total }
  }

const dataTypes: Record<TraitKind, string> = {
  ordinal: 'Ordinal',
  number: 'Numerical',
  date: 'Date',
  category: 'Nominal',
  checks: 'Nominal',
  photo: 'Text',
}

const methods: Record<TraitSource, { name: string; class: string }> = {
  observation: { name: 'Observed on the plant or tasted in a panel', class: 'Observation' },
  log_height: { name: 'Height in a grow log', class: 'Measurement' },
  log_rating: { name: 'Rating in a grow log', class: 'Estimation' },
  rooting_days: { name: 'Days from the cut to the roots of a clone', class: 'Counting' },
  flower_days: { name: 'Days of flower at harvest', class: 'Counting' },
  wet_weight: { name: 'Wet weight at harvest', class: 'Measurement' },
  dry_weight: { name: 'Dry weight at harvest', class: 'Measurement' },
  wash_yield: { name: 'Yield of a wash', class: 'Measurement' },
  lab: { name: 'Lab test', class: 'Measurement' },
}

const toTrait = (row: TraitRow) =>
  known({ traitDbId: row.id, traitName: row.name, traitPUI: puiOf(row.id), status: statusOf(row), entity: 'plant', attribute: row.analyte })

const toMethod = ({ id, source }: TraitRow) => ({ methodDbId: id, methodName: methods[source].name, methodClass: methods[source].class })

/** Ordinal values are written as numbers, categories as labels, which are easier to read in a table. */
export const codeOf = (kind: TraitKind, { value, label }: TraitOption): string => (kind === 'ordinal' ? String(value) : label)

const toScale = ({ id, name, kind, unit, options }: TraitRow) =>
  known({
    scaleDbId: id,
    scaleName: unit || name,
    dataType: dataTypes[kind],
    units: unit,
    ...(options.length > 0 && {
      validValues: { categories: options.map((option) => ({ value: codeOf(kind, option), label: option.label })) },
    }),
    ...(kind === 'checks' && { additionalInfo: { isMultiple: 'true', separator: ':' } }),
  })

const statusOf = ({ is_archived }: TraitRow) => (is_archived ? 'archived' : 'active')

const toVariable: TraitView = (row, hunt) =>
  known({
    observationVariableDbId: row.id,
    observationVariableName: row.name,
    observationVariablePUI: puiOf(row.id),
    commonCropName: crop,
    status: statusOf(row),
    growthStage: row.from_stage,
    submissionTimestamp: row.created_at.toISOString(),
    trait: toTrait(row),
    method: toMethod(row),
    scale: toScale(row),
    additionalInfo: infoOf({
      ...{ ...trialOf(hunt), direction: row.direction, low: row.low, high: row.high, target: row.target, weight: row.weight },
      ...{ toStage: row.to_stage, source: row.source, kind: row.kind, heritability: row.heritability, isExpert: row.is_expert || null },
      ...{ mustMin: row.must?.min, mustMax: row.must?.max, mustNot: labelsOf(row, row.must?.not ?? []) },
    }),
  })

const labelsOf = ({ options }: TraitRow, values: readonly number[]): string =>
  values.map((value) => options.find((option) => option.value === value)?.label ?? value).join(':')

export const readVariables = readTraitsAs(toVariable)
export const readTraits = readTraitsAs(toTrait)
export const readMethods = readTraitsAs(toMethod)
export const readScales = readTraitsAs(toScale)

const kinds: Record<string, TraitKind> = { Ordinal: 'ordinal', Numerical: 'number', Date: 'date', Nominal: 'category', Code: 'category' }

/** @throws RowError */
function kindOf(body: Body): TraitKind {
  const scale = sentObject(body, 'scale')
  const own = sentText(sentObject(body, 'additionalInfo'), 'kind')
  if (own) return own as TraitKind
  if (sentFlag(sentObject(scale, 'additionalInfo'), 'isMultiple')) return 'checks'
  const kind = kinds[sentText(scale, 'dataType') ?? '']
  if (!kind) throw new RowError(`scale.dataType must be one of ${Object.keys(kinds).join(', ')}.`)
  return kind
}

/**
 * An ordinal category's value is its number. Other categories are labels: a known label keeps its number, so that recorded
 * values keep their meaning, and a new one gets the next free number.
 */
function optionsOf(body: Body, kind: TraitKind, before: readonly TraitOption[]): TraitOption[] | undefined {
  const { categories } = sentObject(sentObject(body, 'scale'), 'validValues')
  if (!Array.isArray(categories)) return undefined
  requireFew('scale.validValues.categories', categories)
  const values = new Map(before.map(({ label, value }) => [label, value]))
  let next = Math.max(-1, ...before.map(({ value }) => value)) + 1
  return categories.map((given: unknown) => {
    const category = (typeof given === 'object' && given !== null ? given : {}) as Body
    const code = sentText(category, 'value') ?? ''
    const label = sentText(category, 'label') || code
    if (kind === 'ordinal') return { value: Number(code), label }
    return { value: values.get(label) ?? next++, label }
  })
}

/** Runs before the schema check, which comes only after each entry has been processed. @throws RowError */
function requireFew(name: string, entries: readonly unknown[]): void {
  if (entries.length > maxTraitOptions) throw new RowError(`${name} can have up to ${maxTraitOptions} entries.`)
}

/** Labels are separated by colons, as in values. */
function mustOf(info: Body, options: readonly TraitOption[], before: Trait['must']): Trait['must'] | undefined {
  const [min, max, not] = [sentNumber(info, 'mustMin'), sentNumber(info, 'mustMax'), sentText(info, 'mustNot')]
  if (min === undefined && max === undefined && not === undefined) return undefined
  const labels = (not ?? '').split(':').flatMap((label) => label.trim() || [])
  requireFew('mustNot', labels)
  const byLabel = new Map(options.map(({ label, value }) => [label, value]))
  const values = labels.map((label) => {
    const value = byLabel.get(label)
    if (value === undefined) throw new RowError(`mustNot must name options of this variable, such as ${options[0]?.label}.`)
    return value
  })
  return {
    min: min === undefined ? (before?.min ?? null) : min,
    max: max === undefined ? (before?.max ?? null) : max,
    not: not === undefined ? (before?.not ?? []) : values,
  }
}

function traitOf(body: Body, kind: TraitKind, before: TraitRow | undefined) {
  const info = sentObject(body, 'additionalInfo')
  const options = optionsOf(body, kind, before?.options ?? [])
  return {
    name: sentText(body, 'observationVariableName') || sentText(sentObject(body, 'trait'), 'traitName'),
    unit: sentText(sentObject(body, 'scale'), 'units'),
    options,
    direction: sentText(info, 'direction') || undefined,
    ...{ low: sentNumber(info, 'low'), high: sentNumber(info, 'high'), target: sentNumber(info, 'target') },
    ...{ weight: sentNumber(info, 'weight') ?? undefined, heritability: sentNumber(info, 'heritability') },
    must: mustOf(info, options ?? before?.options ?? [], before?.must ?? null),
    fromStage: stageAt(body, 'growthStage'),
    toStage: stageAt(info, 'toStage'),
    isExpert: sentFlag(info, 'isExpert'),
  }
}

const stageAt = (body: Body, name: string): string | null | undefined => {
  const stage = sentText(body, name)
  return stage === '' ? null : stage
}

const isArchivedAt = (body: Body): boolean | undefined => {
  const status = sentText(body, 'status')
  return status === undefined ? undefined : status === 'archived'
}

const names = { name: 'observationVariableName', unit: 'scale.units', options: 'scale.validValues.categories', kind: 'scale.dataType' }

export const variableWriter: Writer = {
  ...{ service: 'variables', put: 'one', read: readVariables, byId: 'observationVariableDbIds', idName: 'observationVariableDbId' },
  async create(writing) {
    const { ctx, actor, body } = writing
    const info = sentObject(body, 'additionalInfo')
    const huntId = requireId(info, 'trialDbId', 'a trial that you can edit')
    const { id, isRepeated } = await entryFor(writing, 'traits', 'variables', huntId)
    const kind = kindOf(body)
    const source = sentText(info, 'source') || undefined
    const analyte = source === 'lab' ? sentText(sentObject(body, 'trait'), 'attribute') : undefined
    await createTrait(
      ctx,
      actor,
      huntId,
      { ...checked(NewTrait, { ...traitOf(body, kind, undefined), kind, source, analyte }, names), id },
      null,
    )
    if (!isRepeated && isArchivedAt(body)) await change(writing, id)
    return { id, isRepeated }
  },
  update: change,
}

async function change({ ctx, actor, body }: Parameters<Writer['update']>[0], id: string): Promise<void> {
  const before = (await traitRows(ctx.db, [id])).get(id)
  const kind = before?.kind ?? 'number'
  const changes = { ...traitOf(body, kind, before), isArchived: isArchivedAt(body), version: before?.version ?? 0 }
  await updateTrait(ctx, actor, id, checked(TraitChange, changes, names))
}
