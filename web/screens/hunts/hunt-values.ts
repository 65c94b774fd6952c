import { standardSchemaResolver } from '@hookform/resolvers/standard-schema'
import type { Resolver } from 'react-hook-form'
import { type Hunt, HuntChange, NewHunt, type NewHuntCross } from '#contracts/hunts.ts'
import * as z from '#contracts/zod.ts'

export type HuntValues = {
  huntName: string
  seedCount: string
  breeders: string[]
  growEnvironment: string
  germinationDate: string
  goals: string
  plantLimit: string
}

export type NewHuntValues = HuntValues & {
  mother: string
  father: string
  isSelfed: boolean
  generation: string
  seedType: NewHuntCross['seedType']
}

export const emptyHunt: NewHuntValues = {
  huntName: '',
  mother: '',
  father: '',
  isSelfed: false,
  generation: '',
  seedType: 'regular',
  seedCount: '',
  breeders: [],
  growEnvironment: '',
  germinationDate: '',
  goals: '',
  plantLimit: '',
}

export const newHuntFields = Object.keys(emptyHunt) as (keyof NewHuntValues)[]

export const valuesOf = (hunt: Hunt): HuntValues => ({
  huntName: hunt.huntName,
  seedCount: String(hunt.seedCount),
  breeders: hunt.breeders,
  growEnvironment: hunt.growEnvironment,
  germinationDate: hunt.germinationDate ?? '',
  goals: hunt.goals,
  plantLimit: hunt.plantLimit === null ? '' : String(hunt.plantLimit),
})

/** Null for an empty field; invalid numbers stay NaN for the schema to reject. */
const numberOf = (text: string): number | null => (text.trim() === '' ? null : Number(text))

const factsOf = (values: HuntValues) => ({
  huntName: values.huntName,
  breeders: values.breeders,
  seedCount: numberOf(values.seedCount) ?? 0,
  growEnvironment: values.growEnvironment,
  germinationDate: values.germinationDate || null,
  goals: values.goals,
  plantLimit: numberOf(values.plantLimit),
})

function crossOf({ mother, father, isSelfed, generation, seedType }: NewHuntValues): NewHuntCross | null {
  const isKnown = [mother, father, generation].some((text) => text.trim() !== '') || isSelfed || seedType !== 'regular'
  return isKnown ? { mother, father: isSelfed ? '' : father, isSelfed, generation, seedType } : null
}

/** Default name of a hunt: its cross. */
export function nameOfCross({ mother, father, isSelfed }: Pick<NewHuntValues, 'mother' | 'father' | 'isSelfed'>): string {
  const [one, other] = [mother.trim(), father.trim()]
  if (one !== '' && isSelfed) return `${one} S1`
  return [one, other].filter(Boolean).join(' × ')
}

type Check<Values extends object, Output> = (
  values: Values,
  context: unknown,
  options: never,
) => ReturnType<Resolver<Values, unknown, Output>>

/** Resolver that validates and submits `toInput(values)`. */
const resolverOf = <Values extends HuntValues, Output>(schema: z.ZodMiniType, toInput: (values: Values) => object) => {
  const check = standardSchemaResolver(schema as never) as unknown as Check<object, Output>
  return ((values, context, options) => check(toInput(values), context, options as never)) as Resolver<Values, unknown, Output>
}

export const newHuntResolver = resolverOf<NewHuntValues, NewHunt>(NewHunt, (values) => ({ ...factsOf(values), cross: crossOf(values) }))

const Facts = z.omit(HuntChange, { version: true })
export type HuntFacts = z.infer<typeof Facts>
export const huntFactsResolver = resolverOf<HuntValues, HuntFacts>(Facts, factsOf)
