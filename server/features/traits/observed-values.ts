import { sql } from 'kysely'
import type { ObservedValue } from '#contracts/observations.ts'
import type { TraitKind, TraitOption } from '#contracts/traits.ts'
import { theseIds } from '#server/db/these-ids.ts'
import { huntAccess } from '#server/features/hunts/index.ts'
import type { MayReadMedia } from '#server/features/media/index.ts'

/** Value columns, of which at most one is set. */
export type ValueColumns = {
  value_number: number | null
  value_date: string | null
  value_options: number[] | null
  media_id: string | null
}

const none: ValueColumns = { value_number: null, value_date: null, value_options: null, media_id: null }

export function columnsOfValue(value: ObservedValue | null): ValueColumns {
  switch (value?.kind) {
    case 'number':
      return { ...none, value_number: value.number }
    case 'date':
      return { ...none, value_date: value.date }
    case 'options':
      return { ...none, value_options: value.options }
    case 'photo':
      return { ...none, media_id: value.mediaId }
    default:
      return none
  }
}

export function valueOfColumns(row: ValueColumns): ObservedValue | null {
  if (row.value_number !== null) return { kind: 'number', number: row.value_number }
  if (row.value_date !== null) return { kind: 'date', date: row.value_date }
  if (row.value_options !== null) return { kind: 'options', options: row.value_options }
  if (row.media_id !== null) return { kind: 'photo', mediaId: row.media_id }
  return null
}

/** Why a value doesn't fit a trait, as a sentence; null if it does. */
export function valueIssue({ kind, options }: { kind: TraitKind; options: readonly TraitOption[] }, value: ObservedValue): string | null {
  const isOption = (number: number) => options.some((option) => option.value === number)
  switch (kind) {
    case 'number':
      return value.kind === 'number' ? null : 'This trait takes a number'
    case 'ordinal':
      return value.kind === 'number' && isOption(value.number) ? null : `Choose one of ${options.map((option) => option.value).join(', ')}`
    case 'date':
      return value.kind === 'date' ? null : 'This trait takes a day'
    case 'photo':
      return value.kind === 'photo' ? null : 'This trait takes a photo'
    case 'category':
      return value.kind === 'options' && value.options.length === 1 && value.options.every(isOption) ? null : 'Choose one of the options'
    case 'checks':
      return value.kind === 'options' && value.options.every(isOption) && new Set(value.options).size === value.options.length
        ? null
        : 'Choose from the options, each once'
  }
}

/** Photos of observations, including corrected ones, are visible to those who may see the hunt. */
export const mayReadObservedPhoto: MayReadMedia = async (db, actor, observationIds) => {
  const observation = await db
    .selectFrom('observations')
    .innerJoin('hunts', 'hunts.id', 'observations.hunt_id')
    .select('observations.id')
    .where(sql<boolean>`observations.id = ${theseIds(observationIds)}`)
    .where(sql<boolean>`${huntAccess(sql`${actor.id}::uuid`)} is not null`)
    .executeTakeFirst()
  return observation !== undefined
}
