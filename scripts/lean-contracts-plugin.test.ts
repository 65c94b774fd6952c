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

test('a call that needs no schema is a module of its own, without what only the server reads', () => {
  const { code, calls } = leanContract(contract, 'things.ts', new Set())
  expect(calls).toContain(
    "export const saveThing = /* @__PURE__ */ endpoint({ method: 'POST', path: '/api/things/:id', idempotent: true })",
  )
  expect(code).toContain("import { most, sorts, saveThing } from './things.ts?calls'")
  expect(code).not.toContain('endpoint({')
  expect(code + calls).not.toMatch(/\b(params|body|response|summary):/)
})

test('a body that a form checks stays with its call', () => {
  const { code, calls } = leanContract(contract, 'things.ts', new Set(['saveThing']))
  expect(code).toContain('body: /* @__PURE__ */ z.object({ kind: Kind })')
  expect(code).not.toMatch(/\b(params|response|summary):/)
  expect(calls).not.toContain('saveThing')
})

test('schemas nobody uses may be left out by the bundler; statements stay as they are', () => {
  const { code } = leanContract(contract, 'things.ts', new Set())
  expect(code).toContain("export const Kind = /* @__PURE__ */ z.enum(['a', 'b'])")
  expect(code).toContain("export const kinds = /* @__PURE__ */ (() => ([...Kind.options, 'c'] as const))()")
  expect(code).toContain('\nz.config({})')
})

test('plain values need no schema either', () => {
  const { code, calls } = leanContract(contract, 'things.ts', new Set())
  expect(calls).toContain('export const most = 5000')
  expect(calls).toContain("export const sorts = ['name', 'newest']")
  expect(code).not.toContain('5000')
})
