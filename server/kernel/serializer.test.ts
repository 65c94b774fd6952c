import Fastify from 'fastify'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { endpoints } from '../../contracts/index.ts'
import { answerSchema } from './serializer.ts'

async function serialize(schema: z.ZodMiniType, value: unknown): Promise<unknown> {
  const app = Fastify()
  app.get('/', { schema: { response: { 200: answerSchema(schema) } } }, async () => value)
  return (await app.inject('/')).json()
}

const Person = z.object({
  id: z.uuid(),
  name: z.nullable(z.string()),
  role: z.enum(['member', 'admin']),
  pin: z.nullable(z.object({ latitude: z.number() })),
  tags: z.array(z.object({ label: z.string() })),
})
const ann = { id: '0190a1b2-0000-7000-8000-000000000000', name: null, role: 'admin', pin: null, tags: [{ label: 'x' }] }

test('a column that is not declared cannot leave, at any depth', async () => {
  const withSecrets = { ...ann, password: 'hash', pin: { latitude: 1, street: 'Main St' }, tags: [{ label: 'x', secret: 1 }] }
  expect(await serialize(Person, withSecrets)).toEqual({ ...ann, pin: { latitude: 1 } })
  expect(await serialize(z.array(Person), [withSecrets])).toEqual([{ ...ann, pin: { latitude: 1 } }])
})

test('null stays null', async () => {
  expect(await serialize(Person, ann)).toEqual(ann)
})

test('no answer of the API needs a validation while it is written', () => {
  for (const { response, path } of endpoints) {
    const schema = JSON.stringify(response ? answerSchema(response) : {})
    expect(schema, path).not.toMatch(/"(anyOf|oneOf|allOf|\$ref)"/)
  }
})
