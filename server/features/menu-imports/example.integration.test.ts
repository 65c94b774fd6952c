import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callExamples } from '#contracts/developer-texts.ts'
import { endpoints } from '#contracts/index.ts'
import { projectRoot } from '#server/config.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addMember } from '#tests/support/keepers.ts'
import { makeKey } from '#tests/support/keys.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let test: TestApp
let site: string
let secret: string

beforeAll(async () => {
  test = await startTestApp()
  site = await test.app.listen({ host: '127.0.0.1', port: 0 })
  const shop = await addBusiness(test.db)
  await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
  secret = (await makeKey(test, shop.id, await addMember(test, shop, 'owner'))).secret
})
afterAll(() => test?.close())

const example = path.join(projectRoot, 'docs/examples/menu-sync.ts')

async function run(items: object[], key = secret): Promise<{ stdout: string; stderr: string }> {
  const file = path.join(test.dataDir, 'menu.json')
  fs.writeFileSync(file, JSON.stringify(items))
  const jobs = setInterval(() => void test.runJobs(), 200)
  const env = { PATH: process.env.PATH, SITE: site, MENU_KEY: key, NODE_NO_WARNINGS: '1' }
  return promisify(execFile)(process.execPath, [example, file], { env }).finally(() => clearInterval(jobs))
}

const item = (id: number) => ({ id, name: `Item ${id}`, type: 'Flower', variants: [{ id: 1, size: '3.5g', price: 35 }] })

it('has an example of fewer than 60 lines that sends a menu and names rejected items', async () => {
  expect(fs.readFileSync(example, 'utf8').split('\n').length).toBeLessThan(60)
  const { stdout, stderr } = await run([item(1), { ...item(2), name: '' }])
  expect(stdout).toContain('itemsAdded: 1')
  expect(stderr.trim()).toBe('Item 2, name: Name is required')
})

it('makes the example wait until a large menu is applied', async () => {
  const { stdout, stderr } = await run(Array.from({ length: 600 }, (_, i) => item(i + 1)))
  expect(stdout).toContain("status: 'done'")
  expect(stdout).toContain('itemsAdded: 599')
  expect(stderr).toBe('')
})

it('lets the example explain why a key is refused', async () => {
  await expect(run([item(1)], `sgk_${'a'.repeat(43)}`)).rejects.toThrow('Send a working API key')
})

it('has a separate document for exactly the calls that accept API keys', async () => {
  type Operation = { security: object[]; requestBody?: { content: Record<string, { schema: { properties: Record<string, unknown> } }> } }
  const document = (await test.app.inject('/api/integrations/openapi.json')).json() as { paths: Record<string, Record<string, Operation>> }
  const described = Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${url}`),
  )
  const declared = endpoints.filter(({ access }) => access === 'key').map(({ method, path: url }) => `${method} ${url}`)
  expect(described.sort()).toEqual(declared.sort())
  const sync = document.paths['/api/integrations/menu/items']?.post
  expect(sync?.security).toEqual([{ key: [] }])
  expect(sync?.requestBody?.content['application/json']?.schema.properties.items).toMatchObject({
    items: { properties: { id: {}, variants: { items: { properties: { price: {} } } } } },
  })
})

it('has examples whose bodies match the OpenAPI document', async () => {
  type Operation = { requestBody?: { content: Record<string, { schema: object }> } }
  const document = (await test.app.inject('/api/integrations/openapi.json')).json() as { paths: Record<string, Record<string, Operation>> }
  const bodies = callExamples.flatMap(({ call, curl }) => {
    const [method = '', url = ''] = call.split(' ')
    const [, body] = /-d '(\{.*\})'/s.exec(curl) ?? []
    return body ? [{ call, body, operation: document.paths[url]?.[method.toLowerCase()] }] : []
  })
  expect(bodies.map(({ call }) => call)).toContain('PUT /api/integrations/menu/items')
  const ajv = new Ajv({ strict: false, validateFormats: false })
  for (const { call, body, operation } of bodies) {
    const validate = ajv.compile({ ...document, ...operation?.requestBody?.content['application/json']?.schema })
    validate(JSON.parse(body))
    expect(validate.errors, call).toBeNull()
  }
})
