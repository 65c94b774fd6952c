import * as z from 'zod/mini'
import { below, oneOf, type Random } from '#bench/random.ts'
import { newId } from '#server/kernel/ids.ts'

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
export type Schema = {
  type?: string
  enum?: Json[]
  const?: Json
  format?: string
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}

export const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u202Egnp',
  '\u200B',
  '\uD800',
  '=1+1',
  "'; drop table users; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '%00',
  '%',
  '{}',
  'null',
  'NaN',
  '1e999',
  '-1',
  '0000-01-01',
  '0001-01-01',
  '9999-12-31',
  '275760-09-13',
  '2026-02-30',
  '2026-02-30T00:00:00Z',
  '9999-12-31T23:59:59.9999999Z',
  'person@example.com',
  'https://example.com/a.png',
  'http://169.254.169.254/',
  'javascript:alert(1)',
  'Denver, CO',
  'America/Denver',
  '０１２',
  '🌱'.repeat(50),
  'ﷺ'.repeat(200),
  'e\u0301'.repeat(300),
  'x'.repeat(5_000),
  'x'.repeat(60_000),
]
export const numbers = [
  0,
  -0,
  1,
  -1,
  0.5,
  1e-320,
  5e-324,
  1e-45,
  2 ** 31 - 1,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 32,
  2 ** 53,
  -(2 ** 53),
  2 ** 63,
  3.5e38,
  1e308,
  -1e308,
]
const others: Json[] = [null, true, false, [], {}, [null], [[[]]], { length: -1 }, { '': '' }, { constructor: 1 }, { toString: null }]

/** Bytes that aren't JSON, or unusual JSON. */
export function rawBody(random: Random): Buffer {
  const depth = oneOf(random, [31, 33, 500, 5_000, 20_000])
  if (random() < 0.4) {
    const [open, close] = oneOf(random, [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const)
    return Buffer.from(`${open.repeat(depth)}1${close.repeat(depth)}`)
  }
  return Buffer.from(
    oneOf(random, [
      '',
      '{',
      'null',
      '[]',
      '"text"',
      '0',
      '{"a":}',
      '\0',
      '\uFEFF{}',
      '{"__proto__":{"a":1}}',
      '['.repeat(depth),
      `[${'{},'.repeat(10_000)}{}]`,
      `{${Array.from({ length: 3_000 }, (_, i) => `"k${i}":${i}`).join()}}`,
      `"${'x'.repeat(600_000)}"`,
      `[${'1,'.repeat(200_000)}1]`,
      `{"a":1e${'9'.repeat(400)}}`,
      '\xff\xfe{"a":1}',
    ]),
    oneOf(random, ['utf8', 'utf8', 'latin1']),
  )
}

const schemas = new WeakMap<z.ZodMiniType, Schema>()

export function schemaOf(schema: z.ZodMiniType): Schema {
  const known = schemas.get(schema) ?? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }) as Schema)
  schemas.set(schema, known)
  return known
}

/** A value of the schema's type, which doesn't always match its patterns. */
export function described(random: Random, schema: Schema, ids: readonly string[]): Json {
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return oneOf(random, schema.enum)
  const options = schema.anyOf ?? schema.oneOf
  if (options?.length) return described(random, oneOf(random, options), ids)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => schema.required?.includes(name) || random() < 0.6)
          .map(([name, part]) => [name, described(random, part, ids)]),
      )
    case 'array':
      return Array.from({ length: below(random, 4) }, () => described(random, schema.items ?? {}, ids))
    case 'integer':
    case 'number':
      return oneOf(random, [schema.minimum ?? 0, schema.maximum ?? 100, (schema.minimum ?? 0) + below(random, 10), below(random, 1_000)])
    case 'boolean':
      return random() < 0.5
    case 'null':
      return null
    case 'string':
      return stringOf(random, schema, ids)
    default:
      return oneOf(random, [...others, ...numbers, 'text'])
  }
}

function stringOf(random: Random, { format, pattern, minLength = 0, maxLength = 100 }: Schema, ids: readonly string[]): string {
  if (format === 'uuid' || pattern?.includes('[0-9a-f]{8}')) return oneOf(random, ids)
  if (format === 'date-time') return '2026-11-21T10:00:00.000Z'
  if (format === 'date') return '2026-11-21'
  if (format === 'email') return 'fuzz@example.com'
  if (pattern) return oneOf(random, ['12.50', 'CO', 'US', '2026-11-21', '10:00', 'a-slug', '#7', '123456', 'abc'])
  return oneOf(random, [
    'Some words',
    'Denver, CO',
    '2026-11-21',
    ids[0] as string,
    'x'.repeat(Math.min(maxLength, 10_000)),
    'y'.repeat(minLength),
  ])
}

/** Makes one part of the value nonsensical, or repeats, adds or removes one. */
export function mutate(random: Random, value: Json, ids: readonly string[]): Json {
  const isWhole = typeof value !== 'object' || value === null || random() < 0.25 || Object.keys(value).length === 0
  if (isWhole) return nonsense(random, ids)
  if (Array.isArray(value)) {
    const at = below(random, value.length)
    const luck = random()
    if (luck < 0.15) return [...value, ...value]
    if (luck < 0.25) return Array.from({ length: 1_200 }, () => value[at] as Json)
    return value.with(at, mutate(random, value[at] as Json, ids))
  }
  const name = oneOf(random, Object.keys(value))
  const luck = random()
  if (luck < 0.1) return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
  if (luck < 0.15)
    return { ...value, [oneOf(random, ['id', 'userId', 'role', 'isDemo', 'createdAt', 'constructor', ''])]: nonsense(random, ids) }
  return { ...value, [name]: mutate(random, value[name] as Json, ids) }
}

function nonsense(random: Random, ids: readonly string[]): Json {
  const luck = random()
  if (luck < 0.45) return oneOf(random, texts)
  if (luck < 0.65) return oneOf(random, numbers)
  return luck < 0.8 ? oneOf(random, others) : oneOf(random, [...ids, newId()])
}
