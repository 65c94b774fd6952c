import { isDeepStrictEqual } from 'node:util'
import * as z from 'zod/mini'

type JsonSchema = { [key: string]: unknown }

/** Cached, because many calls share schemas and a test process has many servers. */
const made = new WeakMap<z.ZodMiniType, JsonSchema>()

/**
 * The JSON Schema for serializing a response: only declared fields leave the server. Omits checks (lengths, patterns), which cost time and
 * are meant for input. "Or null" becomes `nullable`, because otherwise fast-json-stringify would validate every value against both
 * branches.
 */
export function answerSchema(schema: z.ZodMiniType): JsonSchema {
  const known = made.get(schema)
  if (known) return known
  const whole = z.toJSONSchema(schema, { io: 'output', target: 'draft-7', reused: 'inline', unrepresentable: 'throw' }) as JsonSchema
  const written = simplify(whole)
  made.set(schema, written)
  return written
}

const dropped = new Set([
  '$schema',
  'format',
  'pattern',
  'minimum',
  'maximum',
  'minLength',
  'maxLength',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'default',
  'enum',
  'const',
])

function simplify(node: JsonSchema): JsonSchema {
  const branches = node.anyOf ?? node.oneOf
  if (Array.isArray(branches)) {
    const others = branches.filter((branch: JsonSchema) => branch.type !== 'null').map(simplify)
    const merged = merge(others)
    if (merged) return others.length < branches.length ? { ...merged, nullable: true } : merged
  }
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !dropped.has(key))
      .map(([key, value]) => [key, key === 'properties' ? mapValues(value as Record<string, JsonSchema>) : descend(value)]),
  )
}

/**
 * Merges alternatives into one schema: objects get all declared fields, and a field is required if all alternatives require it. The types
 * already ensure that a response matches one of them. Null if they can't be merged.
 * @throws Error if alternatives declare a field with different types, because one serializer can't write both
 */
function merge(schemas: readonly JsonSchema[]): JsonSchema | null {
  const [first, ...rest] = schemas
  if (!first || rest.some(({ type }) => type !== first.type)) return null
  if (rest.length === 0 || typeof first.type !== 'string' || first.type === 'array') return rest.length === 0 ? first : null
  if (first.type !== 'object') return { type: first.type }
  const requiredOf = ({ required }: JsonSchema) => (required ?? []) as string[]
  return {
    ...first,
    properties: schemas.map(({ properties }) => properties as Record<string, JsonSchema>).reduce(mergeFields),
    required: requiredOf(first).filter((name) => rest.every((other) => requiredOf(other).includes(name))),
  }
}

function mergeFields(fields: Record<string, JsonSchema>, others: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const merged = { ...fields }
  for (const [name, schema] of Object.entries(others)) {
    const known = merged[name]
    const field = known && !isDeepStrictEqual(known, schema) ? merge([known, schema]) : schema
    if (field === null) throw new Error(`The alternatives of a response have different types for the field ${name}.`)
    merged[name] = known?.nullable === true || schema.nullable === true ? { ...field, nullable: true } : field
  }
  return merged
}

const mapValues = (properties: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, simplify(property)]))

function descend(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(descend)
  return typeof value === 'object' && value !== null ? simplify(value as JsonSchema) : value
}

/** Fields of a list's items that are the same for many viewers. */
export type SharedPart<Item> = {
  fields: readonly (keyof Item & string)[]
  /** The object that determines all of these fields of an item. Undefined if no other item shares it. */
  sourceOf(item: Item): object | undefined
  /** Together with the source, determines all other fields of an item. Null if hardly any items have the same key. */
  ownKeyOf?(item: Item): string | null
}

export type Serialize = (value: { [name: string]: unknown }) => string

/** A few versions are enough, because most viewers have no relation to an item and so get the same fields. */
const maxOwnParts = 8

type Written = { shared: Buffer; own: Map<string, Buffer> }

/**
 * Writes a list of objects. Serializes and encodes the fields that an item shares with other responses only once per source. Both parts of
 * an item contain only declared fields, and each part must have a required field.
 */
export function writerInParts<Item>(list: JsonSchema, { fields, sourceOf, ownKeyOf = () => null }: SharedPart<Item>) {
  const isShared = (name: string) => (fields as readonly string[]).includes(name)
  const schemas = {
    shared: onlyFields(list.items as JsonSchema, isShared),
    own: onlyFields(list.items as JsonSchema, (name) => !isShared(name)),
  }
  const writtenOf = new WeakMap<object, Written>()
  return (items: readonly Item[], serializerOf: (schema: JsonSchema) => Serialize): Buffer => {
    if (items.length === 0) return Buffer.from('[]')
    const [serializeShared, serializeOwn] = [serializerOf(schemas.shared), serializerOf(schemas.own)]
    const pieces: Buffer[] = [Buffer.from('[')]
    for (const item of items) {
      const value = item as { [name: string]: unknown }
      const source = sourceOf(item)
      const written = (source && writtenOf.get(source)) ?? { shared: Buffer.from(serializeShared(value).slice(0, -1)), own: new Map() }
      if (source) writtenOf.set(source, written)
      const key = source ? ownKeyOf(item) : null
      const own = (key !== null && written.own.get(key)) || Buffer.from(`,${serializeOwn(value).slice(1)},`)
      if (key !== null && !written.own.has(key)) {
        // The counts in earlier keys are probably outdated.
        if (written.own.size === maxOwnParts) written.own.clear()
        written.own.set(key, own)
      }
      pieces.push(written.shared, own)
    }
    const bytes = Buffer.concat(pieces)
    bytes[bytes.length - 1] = endOfList
    return bytes
  }
}

/** Replaces the comma after the last item. */
const endOfList = ']'.charCodeAt(0)

const onlyFields = (object: JsonSchema, isWanted: (name: string) => boolean): JsonSchema => ({
  ...object,
  properties: Object.fromEntries(Object.entries(object.properties as object).filter(([name]) => isWanted(name))),
  required: ((object.required ?? []) as string[]).filter(isWanted),
})
