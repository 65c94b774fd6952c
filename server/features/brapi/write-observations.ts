import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { maxObservationsAtOnce } from '#contracts/limits.ts'
import type { NewObservation, ObservedValue } from '#contracts/observations.endpoints.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { today } from '#server/features/hunts/index.ts'
import { recordObservations, type ValueColumns, valueOfColumns } from '#server/features/traits/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import { hashedId } from '#server/kernel/ids.ts'
import type { Api } from '#server/kernel/route.ts'
import { answerAll, objectOf, type Status } from './asked.ts'
import { addCall } from './brapi-call.ts'
import { type GrownHunt, huntsOf, idsOfHunts } from './grown-hunts.ts'
import { readObservations } from './observations.ts'
import { codeOf, type TraitRow, traitRows } from './variables.ts'

const path = '/observations'
const maxRows = 1000

/**
 * `POST` adds values and `PUT` corrects them. Each row is checked on its own: what is wrong with one is in `metadata.status`, and the others
 * are recorded. Both are safe to repeat.
 */
export function addObservationWrites(api: Api): void {
  const call = { path, scope: 'hunts:write' } as const
  addCall(api, {
    ...{ ...call, method: 'POST' },
    handle: ({ ctx, actor, request }) => {
      if (!Array.isArray(request.body)) throw new AppError('invalid_input', { message: 'Send a JSON array of observations.' })
      const rows = request.body.map((body: unknown, i): Given => ({ name: `Row ${i + 1}`, correctsId: null, body }))
      return write(ctx, actor, rows)
    },
  })
  addCall(api, {
    ...{ ...call, method: 'PUT' },
    handle: ({ ctx, actor, request }) =>
      write(
        ctx,
        actor,
        Object.entries(objectOf(request.body)).map(([id, body]): Given => ({ name: id, correctsId: id, body })),
      ),
  })
}

/** A row of a request; `name` tells it apart in messages. */
type Given = { name: string; correctsId: string | null; body: unknown }
type Sound = {
  name: string
  huntId: string
  observation: NewObservation
  references: readonly object[]
  /** A correction that changes nothing; `observation` has the ID of the one that is already there. */
  isRecorded: boolean
}
type Problem = { name: string; message: string }

/** What is wrong with one row. */
class RowError extends Error {
  override readonly name = 'RowError'
}

async function write(ctx: Context, actor: Actor, given: readonly Given[]): Promise<object> {
  if (given.length === 0 || given.length > maxRows) {
    throw new AppError('invalid_input', { message: `Send between 1 and ${maxRows} observations at once.` })
  }
  const hunts = await huntsOf(ctx.db, actor)
  const known = await readKnown(ctx, hunts, given)
  const problems: Problem[] = []
  const sound: Sound[] = []
  /** Values that are recorded as sent. */
  const unchanged: Sound[] = []
  for (const row of given) {
    try {
      const one = toSound(row, known, actor, today(ctx.clock.now()))
      if (one.isRecorded) unchanged.push(one)
      else sound.push(one)
    } catch (error) {
      if (!(error instanceof RowError)) throw error
      problems.push({ name: row.name, message: error.message })
    }
  }
  const recorded: Sound[] = [...unchanged]
  for (const [huntId, rows] of Map.groupBy(sound, (one) => one.huntId)) {
    for (let from = 0; from < rows.length; from += maxObservationsAtOnce) {
      const done = await record(ctx, actor, huntId, rows.slice(from, from + maxObservationsAtOnce))
      recorded.push(...done.recorded)
      problems.push(...done.problems)
    }
  }
  if (recorded.length === 0) {
    throw new AppError('invalid_input', { message: problems.map(({ name, message }) => `${name}: ${message}`).join('\n') })
  }
  const status = problems.map(({ name, message }): Status => ({ messageType: 'ERROR', message: `${name}: ${message}` }))
  return answerAll(await readBack(ctx, actor, hunts, recorded), status)
}

/** In the order of the request, with the references that were sent: clients find their own rows by them. */
async function readBack(ctx: Context, actor: Actor, hunts: readonly GrownHunt[], recorded: readonly Sound[]): Promise<object[]> {
  const idOf = ({ observation: { id, correctsId, value } }: Sound) => (value === null ? (correctsId as string) : id)
  const filter = { observationDbIds: recorded.map(idOf) }
  const { rows } = await readObservations({ ctx, actor, hunts, filter, paging: { page: 0, pageSize: maxRows } })
  const byId = new Map(rows.map((row) => [(row as { observationDbId: string }).observationDbId, row]))
  return recorded.flatMap((one) => {
    const row = byId.get(idOf(one))
    return row ? [{ ...row, ...(one.references.length > 0 && { externalReferences: one.references }) }] : []
  })
}

type Current = ValueColumns & { id: string; hunt_id: string; trait_id: string; plant_id: string; observed_on: string; note: string }
type Known = {
  /** Hunts by plant, for those that the person may edit. */
  huntOfPlant: ReadonlyMap<string, string>
  traits: ReadonlyMap<string, TraitRow>
  /** The current correction of each observation that is named, by the named ID. */
  current: ReadonlyMap<string, Current>
}

const textAt = (body: unknown, name: string): string => {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
const idsAt = (given: readonly Given[], name: string): string[] => given.map(({ body }) => textAt(body, name)).filter(isUuid)

async function readKnown({ db }: Context, hunts: readonly GrownHunt[], given: readonly Given[]): Promise<Known> {
  const editable = hunts.filter(({ access }) => access !== 'view')
  const inHunts = pageIds(idsOfHunts(editable))
  const named = given.flatMap(({ correctsId }) => (correctsId !== null && isUuid(correctsId) ? correctsId : []))
  const { rows: current } = await sql<Current & { named: string }>`
    with recursive chain as (
      select id as named, id from observations where id = ${pageIds(named)} and hunt_id = ${inHunts}
      union all
      select chain.named, observations.id from chain join observations on observations.corrects_id = chain.id)
    select chain.named, observations.* from chain join observations on observations.id = chain.id where is_current`.execute(db)
  const plants = await db
    .selectFrom('plants')
    .select(['id', 'hunt_id'])
    .where(sql<boolean>`id = ${pageIds(idsAt(given, 'observationUnitDbId'))} and hunt_id = ${inHunts}`)
    .execute()
  const traitIds = [...idsAt(given, 'observationVariableDbId'), ...current.map((row) => row.trait_id)]
  return {
    huntOfPlant: new Map(plants.map(({ id, hunt_id }) => [id, hunt_id])),
    traits: await traitRows(db, traitIds),
    current: new Map(current.map((row) => [row.named, row])),
  }
}

/** @throws RowError */
function toSound({ name, correctsId, body }: Given, known: Known, actor: Actor, now: string): Sound {
  const current = correctsId === null ? undefined : known.current.get(correctsId)
  if (correctsId !== null && !current) {
    throw new RowError('There is no such observation in a hunt that you may edit. Values from logs, harvests and labs are changed there.')
  }
  const plantId = textAt(body, 'observationUnitDbId') || (current?.plant_id ?? '')
  const traitId = textAt(body, 'observationVariableDbId') || (current?.trait_id ?? '')
  if (current && (plantId !== current.plant_id || traitId !== current.trait_id)) {
    throw new RowError('This observation is of another plant or variable. Add a new one instead.')
  }
  const huntId = current?.hunt_id ?? known.huntOfPlant.get(plantId)
  if (huntId === undefined) throw new RowError('observationUnitDbId must be a plant of a hunt that you may edit.')
  const trait = known.traits.get(traitId)
  if (trait?.hunt_id !== huntId) throw new RowError('observationVariableDbId must be a variable of the same trial as the plant.')
  const time = textAt(body, 'observationTimeStamp')
  const observedOn = time === '' ? (current?.observed_on ?? now) : dayOf(time)
  const text = textAt(body, 'value').trim()
  if (text === '' && !current) throw new RowError('value is missing.')
  const value = text === '' ? null : parsedValue(trait, text)
  const note = textAt((body as { additionalInfo?: unknown })?.additionalInfo, 'note').slice(0, 1000) || (current?.note ?? '')
  const references = referencesOf(body)
  const key = current
    ? [current.id, observedOn, JSON.stringify(value), note]
    : references[0]
      ? [references[0].referenceSource, references[0].referenceId, plantId, traitId]
      : [plantId, traitId, time || observedOn]
  const isRecorded =
    current !== undefined &&
    current.observed_on === observedOn &&
    current.note === note &&
    JSON.stringify(valueOfColumns(current)) === JSON.stringify(value)
  const observation: NewObservation = {
    ...{ id: isRecorded ? current.id : stableId([actor.id, ...key]), traitId, plantId, observedOn, value, note, isBlind: false },
    ...{ correctsId: current?.id ?? null, sameDay: 'add' },
  }
  return { name, huntId, observation, references, isRecorded }
}

/** The day where it was observed, whatever its offset from UTC. */
function dayOf(time: string): string {
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(time) ?? []
  if (day === undefined || Number.isNaN(Date.parse(time))) {
    throw new RowError('observationTimeStamp must be a time such as 2026-06-30T12:00:00Z.')
  }
  return day
}

type Reference = { referenceSource: string; referenceId: string }

/** `referenceID` is the name of BrAPI 2.0. */
function referencesOf(body: unknown): Reference[] {
  const given = (body as { externalReferences?: unknown }).externalReferences
  if (!Array.isArray(given)) return []
  return given.flatMap((each: unknown): Reference[] => {
    const referenceId = textAt(each, 'referenceId') || textAt(each, 'referenceID')
    return referenceId ? [{ referenceSource: textAt(each, 'referenceSource'), referenceId }] : []
  })
}

/** The same for the same key, so that a repeated call finds the observation that the first one made. */
const stableId = (key: readonly string[]): string => hashedId(createHash('sha256').update(JSON.stringify(key)).digest('hex'))

/** @throws RowError */
function parsedValue({ kind, options }: TraitRow, text: string): ObservedValue {
  const optionOf = (code: string): number => {
    const wanted = code.trim().toLowerCase()
    const isIt = (option: (typeof options)[number]) => option.label.toLowerCase() === wanted || codeOf(kind, option) === wanted
    const option = options.find(isIt)
    if (!option) throw new RowError(`value must be one of ${options.map((each) => codeOf(kind, each)).join(', ')}.`)
    return option.value
  }
  switch (kind) {
    case 'number': {
      const number = Number(text)
      if (!Number.isFinite(number) || Math.abs(number) > 1e9) throw new RowError('value must be a number, such as 41.5.')
      return { kind: 'number', number }
    }
    case 'ordinal':
      return { kind: 'number', number: optionOf(text) }
    case 'date': {
      const day = /^\d{4}-\d{2}-\d{2}/.exec(text)?.[0]
      if (day === undefined || Number.isNaN(Date.parse(day))) throw new RowError('value must be a day such as 2026-06-30.')
      return { kind: 'date', date: day }
    }
    case 'category':
      return { kind: 'options', options: [optionOf(text)] }
    case 'checks':
      return { kind: 'options', options: [...new Set(text.split(':').map(optionOf))].sort((a, b) => a - b) }
    case 'photo':
      throw new RowError('Photos can only be added in the app.')
  }
}

type Recorded = { recorded: Sound[]; problems: Problem[] }

/** Records all rows of a hunt, or those that remain after leaving out the ones that were refused. */
async function record(ctx: Context, actor: Actor, huntId: string, rows: readonly Sound[]): Promise<Recorded> {
  const refused = (one: Sound, message: string): Problem => ({ name: one.name, message })
  try {
    await recordObservations(
      ctx,
      actor,
      huntId,
      rows.map(({ observation }) => observation),
    )
    return { recorded: [...rows], problems: [] }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    const [alone] = rows
    if (rows.length === 1 && alone) {
      return {
        recorded: [],
        problems: [refused(alone, error.code === 'conflict' ? isOther : (Object.values(error.fields ?? {})[0] ?? error.message))],
      }
    }
    const messages = new Map(Object.entries(error.fields ?? {}).map(([field, message]) => [Number(field.split('.')[1]), message]))
    // A conflict doesn't name its row.
    const parts = messages.size > 0 ? [rows.filter((_, i) => !messages.has(i))] : rows.map((one) => [one])
    const done: Recorded = {
      recorded: [],
      problems: rows.flatMap((one, i) => (messages.has(i) ? refused(one, messages.get(i) as string) : [])),
    }
    for (const part of parts.filter(({ length }) => length > 0)) {
      const { recorded, problems } = await record(ctx, actor, huntId, part)
      done.recorded.push(...recorded)
      done.problems.push(...problems)
    }
    return done
  }
}

const isOther = 'This was recorded before, with another value, day or note. To change it, send PUT with its observationDbId.'
