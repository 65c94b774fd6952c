import { sql } from 'kysely'
import { isUuid } from '#contracts/addresses.ts'
import { maxObservationsAtOnce, maxTraitOptions } from '#contracts/limits.ts'
import { NewObservation, type ObservedValue } from '#contracts/observations.endpoints.ts'
import { pageIds } from '#server/db/page-ids.ts'
import { today } from '#server/features/hunts/index.ts'
import { recordObservations, type ValueColumns, valueOfColumns } from '#server/features/traits/index.ts'
import type { Actor } from '#server/kernel/actor.ts'
import type { Context } from '#server/kernel/context.ts'
import { AppError } from '#server/kernel/errors.ts'
import type { Api } from '#server/kernel/route.ts'
import { type BrapiQuery, dayOf, fullListResponse, objectOf, type Status } from './asked.ts'
import { addCall } from './brapi-call.ts'
import { type GrownHunt, huntsOf, huntsOfPlants, idsOfHunts } from './hunts.ts'
import { readObservations } from './observations.ts'
import { codeOf, type TraitRow, traitRows } from './variables.ts'
import { checked, RowError, referencesOf, stableId } from './write-call.ts'

const path = '/observations'
const maxRows = 1000

/**
 * `POST` adds values and `PUT` corrects them. Each row is checked separately: errors are listed in `metadata.status`, and the
 * other rows are recorded. A call without a valid row is refused. Both methods are safe to repeat.
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

/** A row of a request; `name` identifies it in messages. */
type Given = { name: string; correctsId: string | null; body: unknown }
type ValidObservation = {
  name: string
  huntId: string
  observation: NewObservation
  references: readonly object[]
  /** A correction that changes nothing; `observation` has the ID of the existing one. */
  isRecorded: boolean
}
type Problem = { name: string; message: string }

async function write(ctx: Context, actor: Actor, given: readonly Given[]): Promise<object> {
  if (given.length === 0 || given.length > maxRows) {
    throw new AppError('invalid_input', { message: `Send between 1 and ${maxRows} observations at once.` })
  }
  const hunts = await huntsOf(ctx.db, actor)
  const known = await readKnown(ctx, hunts, given)
  const problems: Problem[] = []
  const sound: ValidObservation[] = []
  const unchanged: ValidObservation[] = []
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
  const recorded: ValidObservation[] = [...unchanged]
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
  const current = await currentOf(ctx, hunts, recorded.map(idOf))
  const isSuperseded = (one: ValidObservation) => current.get(idOf(one))?.id !== idOf(one)
  const status = [
    ...problems.map(({ name, message }): Status => ({ messageType: 'ERROR', message: `${name}: ${message}` })),
    ...recorded.filter(isSuperseded).map(({ name }): Status => ({ messageType: 'WARNING', message: `${name}: ${wasCorrected}` })),
  ]
  return fullListResponse(await readBack({ ctx, actor, hunts }, recorded, current), status)
}

const idOf = ({ observation: { id } }: ValidObservation) => id

const wasCorrected = 'This was recorded before and has been corrected since. To change it, send PUT.'

/**
 * Returns unchanged rows first, then the others by hunt, each in its current version: a repeated call may name values that have been
 * corrected or withdrawn since. Includes the references sent, because clients find their own rows by them.
 */
async function readBack(
  asked: Pick<BrapiQuery, 'ctx' | 'actor' | 'hunts'>,
  recorded: readonly ValidObservation[],
  current: Known['current'],
): Promise<object[]> {
  const filter = { observationDbIds: [...current.values()].map(({ id }) => id) }
  const { rows } = await readObservations({ ...asked, filter, paging: { page: 0, pageSize: maxRows }, includesWithdrawn: true })
  const byId = new Map(rows.map((row) => [(row as { observationDbId: string }).observationDbId, row]))
  return recorded.flatMap((one) => {
    const row = byId.get(current.get(idOf(one))?.id ?? '')
    return row ? [{ value: '', ...row, ...(one.references.length > 0 && { externalReferences: one.references }) }] : []
  })
}

type Current = ValueColumns & {
  id: string
  hunt_id: string
  trait_id: string
  plant_id: string
  observed_on: string
  note: string
  is_blind: boolean
}
type Known = {
  /** Only plants that the person may edit. */
  huntOfPlant: ReadonlyMap<string, string>
  traits: ReadonlyMap<string, TraitRow>
  /** The current version of each observation named in the request, by the ID in the request. It may be a withdrawal. */
  current: ReadonlyMap<string, Current>
}

const textAt = (body: unknown, name: string): string => {
  const value = typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
const idsAt = (given: readonly Given[], name: string): string[] => given.map(({ body }) => textAt(body, name)).filter(isUuid)

async function readKnown({ db }: Context, hunts: readonly GrownHunt[], given: readonly Given[]): Promise<Known> {
  const named = given.flatMap(({ correctsId }) => (correctsId !== null && isUuid(correctsId) ? correctsId : []))
  const current = await currentOf({ db }, hunts, named)
  const traitIds = [...idsAt(given, 'observationVariableDbId'), ...[...current.values()].map((row) => row.trait_id)]
  return {
    huntOfPlant: await huntsOfPlants(db, hunts, idsAt(given, 'observationUnitDbId')),
    traits: await traitRows(db, traitIds),
    current,
  }
}

/** The current versions of these observations, by the IDs given, in hunts that the person may edit. */
async function currentOf({ db }: Pick<Context, 'db'>, hunts: readonly GrownHunt[], ids: readonly string[]): Promise<Known['current']> {
  const editable = hunts.filter(({ access }) => access !== 'view')
  const { rows } = await sql<Current & { named: string }>`
    with recursive chain as (
      select id as named, id from observations where id = ${pageIds(ids)} and hunt_id = ${pageIds(idsOfHunts(editable))}
      union all
      select chain.named, observations.id from chain join observations on observations.corrects_id = chain.id)
    select chain.named, observations.* from chain join observations on observations.id = chain.id where is_current`.execute(db)
  return new Map(rows.map((row) => [row.named, row]))
}

/** @throws RowError */
function toSound({ name, correctsId, body }: Given, known: Known, actor: Actor, now: string): ValidObservation {
  const current = correctsId === null ? undefined : known.current.get(correctsId)
  if (correctsId !== null && !current) {
    throw new RowError(
      'No hunt that you can edit has this observation. Values from logs, harvests and lab results can only be changed there.',
    )
  }
  const plantId = textAt(body, 'observationUnitDbId') || (current?.plant_id ?? '')
  const traitId = textAt(body, 'observationVariableDbId') || (current?.trait_id ?? '')
  if (current && (plantId !== current.plant_id || traitId !== current.trait_id)) {
    throw new RowError('This observation is for a different plant or variable. Add a new one instead.')
  }
  const huntId = current?.hunt_id ?? known.huntOfPlant.get(plantId)
  if (huntId === undefined) throw new RowError('observationUnitDbId must be a plant in a hunt that you can edit.')
  const trait = known.traits.get(traitId)
  if (trait?.hunt_id !== huntId) throw new RowError('observationVariableDbId must be a variable in the same trial as the plant.')
  const time = textAt(body, 'observationTimeStamp')
  const observedOn = time === '' ? (current?.observed_on ?? now) : observedDay(time)
  const text = textAt(body, 'value').trim()
  if (text === '' && !current) throw new RowError('value is missing.')
  const value = text === '' ? null : parsedValue(trait, text)
  const note =
    textAt((body as { additionalInfo?: unknown })?.additionalInfo, 'note')
      .slice(0, 1000)
      .trim() ||
    (current?.note ?? '')
  const references = referencesOf(body)
  const key = current
    ? [current.id, observedOn, JSON.stringify(value), note]
    : references[0]
      ? [references[0].referenceSource, references[0].referenceId, plantId, traitId]
      : [plantId, traitId, time || observedOn]
  const isBlind = isBlindAt(body, current)
  const isRecorded =
    current !== undefined &&
    current.is_blind === isBlind &&
    current.observed_on === observedOn &&
    current.note === note &&
    JSON.stringify(valueOfColumns(current)) === JSON.stringify(value)
  const observation: NewObservation = {
    ...{
      id: isRecorded ? current.id : stableId([actor.id, ...key]),
      traitId,
      plantId,
      observedOn,
      value,
      note,
      isBlind,
    },
    ...{ correctsId: current?.id ?? null, sameDay: 'add' },
  }
  return { name, huntId, observation: checked(NewObservation, observation, { note: 'additionalInfo.note' }), references, isRecorded }
}

/** A correction of a blind value is also blind, unless the request says otherwise. */
const isBlindAt = (body: unknown, current: Current | undefined): boolean => {
  const sent = textAt((body as { additionalInfo?: unknown })?.additionalInfo, 'isBlind')
  return sent === '' ? (current?.is_blind ?? false) : sent === 'true'
}

/** The observation's local day, whatever its offset from UTC. */
function observedDay(time: string): string {
  const day = dayOf(time)
  if (day === undefined) throw new RowError('observationTimeStamp must be a time such as 2026-06-30T12:00:00Z.')
  return day
}

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
      const day = dayOf(text.slice(0, 10))
      if (day === undefined) throw new RowError('value must be a day such as 2026-06-30.')
      return { kind: 'date', date: day }
    }
    case 'category':
      return { kind: 'options', options: [optionOf(text)] }
    case 'checks': {
      const codes = text.split(':')
      if (codes.length > maxTraitOptions) throw new RowError(`value can have up to ${maxTraitOptions} options.`)
      return { kind: 'options', options: [...new Set(codes.map(optionOf))].sort((a, b) => a - b) }
    }
    case 'photo':
      throw new RowError('Send photos to /images instead.')
  }
}

type Recorded = { recorded: ValidObservation[]; problems: Problem[] }

async function record(ctx: Context, actor: Actor, huntId: string, rows: readonly ValidObservation[]): Promise<Recorded> {
  const refused = (one: ValidObservation, message: string): Problem => ({ name: one.name, message })
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
        problems: [
          refused(alone, error.code === 'conflict' ? conflictOf(alone, error) : (Object.values(error.fields ?? {})[0] ?? error.message)),
        ],
      }
    }
    const messages = new Map(
      Object.entries(error.fields ?? {}).flatMap(([field, message]): [number, string][] => {
        const row = Number(field.split('.')[1])
        return row in rows ? [[row, message]] : []
      }),
    )
    // Retry without the rows that have errors, or row by row after a conflict, which doesn't name its row.
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

/** Includes the ID, because a program that never got the first response doesn't have it. */
const conflictOf = ({ observation: { id, correctsId } }: ValidObservation, { message }: AppError): string =>
  correctsId === null
    ? `This was recorded before with a different value, day or note. To change it, send PUT with its observationDbId, ${id}.`
    : message
