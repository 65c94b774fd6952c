import { expect, it } from 'vitest'
import * as z from 'zod/v4/core'
import type { Endpoint } from '#contracts/endpoint.ts'
import { endpoints } from '#contracts/index.ts'
import { huntTextKeys } from '#server/features/hunts/index.ts'
import { type Actor, requireAccess } from '#server/kernel/actor.ts'

const muted = { mutedUntil: new Date('2026-12-01'), suspendedUntil: null, leavesAt: null, owesSecondFactor: false } as Actor

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`

/** Whether a body has a free-text field (a string without enum, format or pattern) or is a file, which may contain text. */
function takesWords({ method, body, receives }: Endpoint): boolean {
  if (receives === 'bytes') return true
  if (!body || method === 'GET' || method === 'DELETE') return false
  return hasWords(z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' }))
}

function hasWords(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.some(hasWords)
  if (typeof schema !== 'object' || schema === null) return false
  const { type, enum: values, const: only, format, pattern } = schema as Record<string, unknown>
  if (type === 'string' && !values && !only && !format && !pattern) return true
  return Object.entries(schema).some(([key, value]) => key !== 'enum' && hasWords(value))
}

/** Names of the text fields; items of a list count under the list's name. */
const textKeys = (schema: unknown, key = ''): string[] => {
  if (typeof schema !== 'object' || schema === null) return []
  const { properties = {}, type } = schema as { properties?: object; type?: string }
  if (type === 'string') return hasWords(schema) ? [key] : []
  const inner = Object.entries(schema).filter(([name]) => /^(items|anyOf|oneOf|allOf|\d+)$/.test(name))
  return [
    ...Object.entries(properties).flatMap(([name, each]) => textKeys(each, name)),
    ...inner.flatMap(([, each]) => textKeys(each, key)),
  ]
}

/** Calls without text that publish or restore earlier text. */
const publishing = [
  'POST /api/businesses/:id/menu-imports/:importId/start',
  'POST /api/drafts/:id/publish',
  'POST /api/grow-logs/:id/restore',
  'PUT /api/awaited-photos/:id',
  'PUT /api/drafts/:id/schedule',
  'PUT /api/pheno-hunts/:id/shares/:personId',
  'PUT /api/pheno-hunts/:id/visibility',
]

it('declares who can read the text for exactly the calls that accept text', () => {
  const taking = endpoints.filter(takesWords).map(nameOf)
  const naming = endpoints.filter(({ words }) => words !== undefined).map(nameOf)
  expect(taking.length).toBeGreaterThan(80)
  expect(naming.toSorted()).toEqual([...taking, ...publishing].toSorted())
})

it('lists every text field of the hunt calls', () => {
  const growing = endpoints.filter(({ words, path }) => words === 'mixed' && !/businesses|communities|integrations|media/.test(path))
  const keys = growing.flatMap(({ body }) => (body ? textKeys(z.toJSONSchema(body, { unrepresentable: 'any', io: 'input' })) : []))
  expect(keys.length).toBeGreaterThan(30)
  expect(keys.filter((key) => !huntTextKeys.has(key))).toEqual(['timeZone'])
})

it('refuses muted people in every call with published text', () => {
  for (const endpoint of endpoints.filter(({ words, access }) => words === 'published' && access !== 'public')) {
    expect(() => requireAccess(endpoint, muted), nameOf(endpoint)).toThrow('you can read but not write here')
  }
})
