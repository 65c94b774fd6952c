import * as z from 'zod/mini'

type JsonSchema = { [key: string]: unknown }

/** Cached, because many calls share schemas and a test process has many servers. */
const made = new WeakMap<z.ZodMiniType, JsonSchema>()

/**
 * The JSON Schema for serializing a response: only declared fields leave the server. Checks (lengths, patterns) are dropped, because
 * they cost time and are meant for input. "Or null" becomes `nullable`; otherwise fast-json-stringify would validate every value against
 * both branches.
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
 * Merges alternatives into one schema: objects get all declared fields, and require those that all alternatives require. The types already
 * ensure that a response matches one of them. Null if they can't be merged.
 */
function merge(schemas: readonly JsonSchema[]): JsonSchema | null {
  const [first, ...rest] = schemas
  if (!first || rest.some(({ type }) => type !== first.type)) return null
  if (rest.length === 0 || typeof first.type !== 'string' || first.type === 'array') return rest.length === 0 ? first : null
  if (first.type !== 'object') return { type: first.type }
  const requiredOf = ({ required }: JsonSchema) => (required ?? []) as string[]
  return {
    ...first,
    properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
    required: requiredOf(first).filter((name) => rest.every((other) => requiredOf(other).includes(name))),
  }
}

const mapValues = (properties: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, simplify(property)]))

function descend(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(descend)
  return typeof value === 'object' && value !== null ? simplify(value as JsonSchema) : value
}
