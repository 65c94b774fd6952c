import { expect, test } from 'vitest'
import { leanContract } from './lean-contracts-plugin.ts'

const contract = `import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'

export const most = 5000
export const sorts = ['name', 'newest'] as const
export const Kind = z.enum(['a', 'b'])
export const kinds = [...Kind.options, 'c'] as const
export const saveThing = endpoint({
  method: 'POST',
  path: '/api/things/:id',
  summary: 'Save',
  params: z.object({ id: z.string() }),
  body: z.object({ kind: Kind }),
  response: z.object({ id: z.string().check(z.minLength(1)) }),
  idempotent: true,
})
z.config({})
`

test('moves a call without schemas to its own module, without server-only fields', () => {
  const { code, calls } = leanContract(contract, 'things.ts', new Set())
  expect(calls).toContain(
    "export const saveThing = /* @__PURE__ */ endpoint({ method: 'POST', path: '/api/things/:id', idempotent: true })",
  )
  expect(code).toContain("import { most, sorts, saveThing } from './things.ts?calls'")
  expect(code).not.toContain('endpoint({')
  expect(code + calls).not.toMatch(/\b(params|body|response|summary):/)
})

test('leaves a body that a form validates with its call', () => {
  const { code, calls } = leanContract(contract, 'things.ts', new Set(['saveThing']))
  expect(code).toContain('body: /* @__PURE__ */ z.object({ kind: Kind })')
  expect(code).not.toMatch(/\b(params|response|summary):/)
  expect(calls).not.toContain('saveThing')
})

test('marks schemas as pure for the bundler and leaves statements alone', () => {
  const { code } = leanContract(contract, 'things.ts', new Set())
  expect(code).toContain("export const Kind = /* @__PURE__ */ z.enum(['a', 'b'])")
  expect(code).toContain("export const kinds = /* @__PURE__ */ (() => ([...Kind.options, 'c'] as const))()")
  expect(code).toContain('\nz.config({})')
})

test('moves plain values along with the calls', () => {
  const { code, calls } = leanContract(contract, 'things.ts', new Set())
  expect(calls).toContain('export const most = 5000')
  expect(calls).toContain("export const sorts = ['name', 'newest']")
  expect(code).not.toContain('5000')
})
