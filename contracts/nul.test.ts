import { expect, it } from 'vitest'
import { endpoints } from './index.ts'
import type * as z from './zod.ts'

type Def = Record<string, unknown> & { type: string }
const defOf = (schema: z.ZodMiniType) => schema._zod.def as unknown as Def

function* textsIn(schema: z.ZodMiniType, path: string): Generator<{ path: string; schema: z.ZodMiniType }> {
  const def = defOf(schema)
  const within = (part: unknown, name = '') => textsIn(part as z.ZodMiniType, name ? `${path}.${name}` : path)
  switch (def.type) {
    case 'string':
      yield { path, schema }
      break
    case 'object':
      for (const [name, part] of Object.entries(def.shape as object)) yield* within(part, name)
      break
    case 'array':
      yield* within(def.element, '[]')
      break
    case 'record':
      yield* within(def.keyType, '(key)')
      yield* within(def.valueType, '(value)')
      break
    case 'tuple':
      for (const part of def.items as unknown[]) yield* within(part, '[]')
      break
    case 'union':
      for (const part of def.options as unknown[]) yield* within(part)
      break
    case 'intersection':
      yield* within(def.left)
      yield* within(def.right)
      break
    case 'pipe':
      yield { path, schema }
      break
    case 'lazy':
      yield* within((def.getter as () => unknown)())
      break
    default:
      if (def.innerType) yield* within(def.innerType)
  }
}

const nul = String.fromCharCode(0)
/** Different lengths and formats, so no length or pattern check happens to reject all of them. */
const withNul = [
  nul,
  `a${nul}`,
  `${nul}b`,
  `ab${nul}cd`,
  `${nul.repeat(3)}`,
  `person${nul}@example.com`,
  `https://example.com/${nul}`,
  'x'.repeat(20) + nul,
]

it.each(endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  'rejects text with NUL characters in %s',
  (_name, endpoint) => {
    const parts = { params: endpoint.params, query: endpoint.query, body: endpoint.body }
    const taken = Object.entries(parts).flatMap(([part, schema]) =>
      schema
        ? [...textsIn(schema, part)].filter((text) => withNul.some((value) => text.schema.safeParse(value).success)).map(({ path }) => path)
        : [],
    )
    expect(taken).toEqual([])
  },
)
