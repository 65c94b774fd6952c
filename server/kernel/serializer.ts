import * as z from 'zod/mini'

type JsonSchema = { [key: string]: unknown }

/**
 * The JSON Schema by which an answer is written: only declared fields leave the server.
 * Checks (lengths, patterns) are dropped, as they cost time and belong to the input; "or null" is folded into
 * `nullable`, because fast-json-stringify would otherwise validate every value against both branches.
 */
export function answerSchema(schema: z.ZodMiniType): JsonSchema {
  return simplify(z.toJSONSchema(schema, { io: 'output', target: 'draft-7', reused: 'inline', unrepresentable: 'throw' }) as JsonSchema)
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
  const branches = node.anyOf
  if (Array.isArray(branches)) {
    const others = branches.filter((branch: JsonSchema) => branch.type !== 'null')
    if (others.length === 1 && branches.length === 2) return { ...simplify(others[0]), nullable: true }
  }
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !dropped.has(key))
      .map(([key, value]) => [key, key === 'properties' ? mapValues(value as Record<string, JsonSchema>) : descend(value)]),
  )
}

const mapValues = (properties: Record<string, JsonSchema>) =>
  Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, simplify(property)]))

function descend(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(descend)
  return typeof value === 'object' && value !== null ? simplify(value as JsonSchema) : value
}
