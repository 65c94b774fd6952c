import { type RawBuilder, sql } from 'kysely'
import { maxLabResultsAtOnce } from '#contracts/limits.ts'
import { plantName } from '#contracts/plants.ts'
import { LabResultChange, NewLabResult } from '#contracts/traits.endpoints.ts'
import type { Db } from '#server/db/connect.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { requireHuntOfRow } from '#server/features/hunts/index.ts'
import { recordLabResults, updateLabResult } from '#server/features/traits/index.ts'
import { type BrapiQuery, countedPage, infoOf, isOneOf, known, noonOf, type QueryResult, uuidsOf } from './asked.ts'
import { idsOfHunts } from './hunts.ts'
import {
  type Body,
  checked,
  idFor,
  RowError,
  type RowWriting,
  referencesOf,
  requireId,
  sentDay,
  sentObject,
  sentText,
  stableId,
  type Writer,
} from './write-call.ts'

type Result = { id: string; analyte: string; value: number | null; unit: string; limit: number | null; version: number }

type SampleRow = {
  total: number
  /** The ID of the first recorded result, so that it doesn't change when more are added. */
  id: string
  hunt_id: string
  plant_id: string
  genotype_id: string
  number: number
  copy: number
  lab: string
  tested_on: string
  sample_position: string
  results: readonly Result[]
}

/** SQL: groups the results of one plant, lab, day and position into a sample. */
const samples = (condition: RawBuilder<unknown>, ids: readonly string[] | undefined) => sql`
  select (array_agg(lab_results.id order by lab_results.created_at, lab_results.id))[1] as id, lab_results.hunt_id, lab_results.plant_id, plants.genotype_id,
    genotypes.number, plants.copy, lab, tested_on, sample_position,
    json_agg(json_build_object('id', lab_results.id, 'analyte', analyte, 'value', value, 'unit', unit, 'limit', quantification_limit,
      'version', lab_results.version) order by lab_results.created_at, lab_results.id) as results
  from lab_results join plants on plants.id = lab_results.plant_id join genotypes on genotypes.id = plants.genotype_id
  where ${condition}
  group by lab_results.hunt_id, lab_results.plant_id, plants.genotype_id, genotypes.number, plants.copy, lab, tested_on, sample_position
  having ${ids ? sql`array_agg(lab_results.id) && ${uuidsOf(ids)}::uuid[]` : sql`true`}`

/** Each result is in `additionalInfo`, by analyte and unit, because BrAPI's samples have no results. */
export async function readSamples({ ctx, hunts, filter, paging }: BrapiQuery): Promise<QueryResult> {
  const condition = sql`lab_results.hunt_id = ${pageIds(idsOfHunts(hunts))}
    and ${isOneOf(sql`lab_results.plant_id`, filter.observationUnitDbIds)} and ${isOneOf(sql`plants.genotype_id`, filter.germplasmDbIds)}`
  const { items, total } = await countedPage(
    (limit, offset) =>
      sql<SampleRow>`
        select *, count(*) over () as total from (${samples(condition, filter.sampleDbIds)}) as found
        order by hunt_id, tested_on, id limit ${limit} offset ${offset}`
        .execute(ctx.db)
        .then(({ rows }) => rows),
    paging,
  )
  const programs = new Map<string, string>(hunts.map(({ id, ownerId }) => [id, ownerId]))
  const rows = items.map((row) =>
    known({
      sampleDbId: row.id,
      sampleName: [plantName(row.number, row.copy), row.lab, row.tested_on, row.sample_position].filter(Boolean).join(', '),
      sampleType: 'Lab test',
      sampleTimestamp: noonOf(row.tested_on),
      sampleDescription: row.sample_position,
      observationUnitDbId: row.plant_id,
      germplasmDbId: row.genotype_id,
      trialDbId: row.hunt_id,
      programDbId: programs.get(row.hunt_id),
      additionalInfo: infoOf({ lab: row.lab, ...figuresOf(row.results) }),
    }),
  )
  return { rows, total }
}

/** "THC (%)": "24.5", or "<0.1" below the lab's limit of quantification. A second result for an analyte is numbered. */
function figuresOf(results: readonly Result[]): Record<string, string> {
  const figures: Record<string, string> = {}
  const times = new Map<string, number>()
  for (const { analyte, unit, value, limit } of results) {
    const name = `${analyte} (${unit})`
    const nth = (times.get(name) ?? 0) + 1
    times.set(name, nth)
    figures[nth === 1 ? name : `${name} ${nth}`] = value === null ? `<${limit}` : limit === null ? String(value) : `${value} (LOQ ${limit})`
  }
  return figures
}

type Figure = { key: string; analyte: string; unit: string; value: number | null; quantificationLimit: number | null }

/** @throws RowError */
function sentFigures(body: Body): Figure[] {
  const info = sentObject(body, 'additionalInfo')
  const figures = Object.keys(info).flatMap((key): Figure[] => {
    const [, analyte, unit] = /^(.+) \(([^()]*)\)(?: \d+)?$/.exec(key) ?? []
    if (analyte === undefined || unit === undefined) return []
    const text = sentText(info, key) ?? ''
    const [, below, figure, limit] = /^(<)?(\d+(?:\.\d+)?)(?: \(LOQ (\d+(?:\.\d+)?)\))?$/.exec(text) ?? []
    if (figure === undefined) throw new RowError(`“${key}” must be a figure such as 24.5, or <0.1 below the limit of quantification.`)
    const value = below ? null : Number(figure)
    return [{ key, analyte, unit, value, quantificationLimit: below ? Number(figure) : limit === undefined ? null : Number(limit) }]
  })
  if (figures.length > maxLabResultsAtOnce) throw new RowError(`A sample can have up to ${maxLabResultsAtOnce} results.`)
  return figures
}

const sampleOf = (body: Body) => ({
  lab: sentText(sentObject(body, 'additionalInfo'), 'lab'),
  testedOn: sentDay(body, 'sampleTimestamp') ?? undefined,
  samplePosition: sentText(body, 'sampleDescription'),
})

const names = { testedOn: 'sampleTimestamp', samplePosition: 'sampleDescription' }

/** A sample without lab results can't be stored. */
export const sampleWriter: Writer = {
  ...{ service: 'samples', put: 'both', read: readSamples, byId: 'sampleDbIds', idName: 'sampleDbId' },
  async create(writing) {
    const { ctx, actor, body } = writing
    const plantId = requireId(body, 'observationUnitDbId', 'a plant that you can edit')
    const plant = await ctx.db.selectFrom('plants').select('hunt_id').where('id', '=', plantId).executeTakeFirst()
    const { id: huntId } = await requireHuntOfRow(ctx.db, actor, plant, 'No trial that you can see has this plant.', 'write')
    const figures = sentFigures(body)
    if (figures.length === 0) throw new RowError('additionalInfo must have at least one result, such as "THC (%)": "24.5".')
    const results = figures.map((figure) => ({ ...resultOf({ ...figure, ...sampleOf(body), plantId }), id: idOf(writing, huntId, figure) }))
    const recorded = await recordLabResults(ctx, actor, huntId, results)
    return { id: await sampleWith(ctx.db, recorded[0]?.id as string) }
  },
  async update(writing, id) {
    const { ctx, actor, body } = writing
    const first = await ctx.db.selectFrom('lab_results').select('hunt_id').where('id', '=', id).executeTakeFirst()
    const { id: huntId } = await requireHuntOfRow(ctx.db, actor, first, 'No trial that you can see has this sample.', 'write')
    const { rows } = await sql<SampleRow>`${samples(sql`lab_results.hunt_id = ${huntId}::uuid`, [id])}`.execute(ctx.db)
    const [sample] = rows
    if (sample?.id !== id) throw new RowError('No trial that you can see has this sample.')
    const figures = new Map(sentFigures(body).map((figure) => [figure.key, figure]))
    const keys = Object.keys(figuresOf(sample.results))
    for (const [i, result] of sample.results.entries()) {
      const figure = figures.get(keys[i] as string)
      figures.delete(keys[i] as string)
      const change = { ...sampleOf(body), ...(figure && { value: figure.value, quantificationLimit: figure.quantificationLimit }) }
      await updateLabResult(ctx, actor, result.id, checked(LabResultChange, { ...change, version: result.version }, names))
    }
    const { lab, tested_on: testedOn, sample_position: samplePosition, plant_id: plantId } = sample
    const sent = Object.fromEntries(Object.entries(sampleOf(body)).filter(([, value]) => value !== undefined))
    const more = [...figures.values()].map((figure) => ({
      ...resultOf({ ...figure, lab, testedOn, samplePosition, ...sent, plantId }),
      id: stableId([actor.id, 'samples', id, figure.key]),
    }))
    if (more.length > 0) await recordLabResults(ctx, actor, huntId, more)
  },
}

const resultOf = ({ key: _, ...result }: Figure & { plantId: string } & Partial<ReturnType<typeof sampleOf>>) =>
  checked(NewLabResult, result, names)

const idOf = (writing: RowWriting, huntId: string, { key }: Figure): string =>
  referencesOf(writing.body).length === 0 ? idFor(writing, 'samples', huntId) : stableId([idFor(writing, 'samples', huntId), key])

async function sampleWith(db: Db, resultId: string): Promise<string> {
  const { rows } = await sql<SampleRow>`
    ${samples(sql`lab_results.plant_id = (select plant_id from lab_results where id = ${resultId}::uuid)`, [resultId])}`.execute(db)
  return rows[0]?.id ?? resultId
}
