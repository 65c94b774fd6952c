import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { Webhook as Signer } from 'standardwebhooks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callExamples, quickStart, webhookExample, webhookPayload } from '#contracts/developer-texts.ts'
import { endpoints } from '#contracts/index.ts'
import { projectRoot } from '#server/config.ts'
import { addBusiness } from '#tests/support/businesses.ts'
import { grantPlan } from '#tests/support/entitlements.ts'
import { addMember } from '#tests/support/keepers.ts'
import { makeKey } from '#tests/support/keys.ts'
import { freePort } from '#tests/support/server-process.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

// The examples on /developers must work as shown.

let test: TestApp
let env: Record<string, string>

beforeAll(async () => {
  test = await startTestApp()
  const site = await test.app.listen({ host: '127.0.0.1', port: 0 })
  const shop = await addBusiness(test.db)
  await grantPlan(test.db, { businessId: shop.id, planId: 'business_tools' })
  const { key, secret } = await makeKey(test, shop.id, await addMember(test, shop, 'owner'))
  env = { PATH: process.env.PATH ?? '', SITE: site, KEY: secret, KEY_ID: key.id }
})
afterAll(() => test?.close())

async function run(script: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)('sh', ['-c', script.replaceAll('curl "', 'curl -sS --fail-with-body "')], { env })
  return JSON.parse(stdout)
}

it('sends an item with the five lines of the quick start', async () => {
  const lines = quickStart.split('\n')
  expect(lines).toHaveLength(5)
  expect(lines.slice(0, 2).map((line) => line.split('=')[0])).toEqual(['KEY', 'SITE'])
  expect(await run(lines.slice(2).join('\n'))).toMatchObject({ status: 'done', itemsAdded: 1, errors: [] })
})

const results: Record<string, object> = {
  'complete-menu': { kind: 'full_sync', itemsAdded: 1, itemsMissing: 1, errors: [] },
  'some-items': { kind: 'update', itemsChanged: 1, errors: [] },
  'remove-items': { kind: 'removal', itemsRemoved: 1 },
  status: { itemCount: 1, sync: { kind: 'removal' } },
  post: { status: 'published', heldFor: [], url: expect.stringContaining('/post/') },
  insights: { insights: { by: 'week', totals: expect.any(Array) }, taste: { pageViews: null } },
  token: { token_type: 'Bearer' },
}

it('has a working example of every call that accepts API keys', async () => {
  for (const { id, curl } of callExamples) {
    const answer = await run(curl)
    if (id === 'read-menu') expect(answer, id).toMatchObject([{ id: '1', isActive: false }])
    else expect(answer, id).toMatchObject(results[id] as object)
  }
  const declared = endpoints.filter(({ access }) => access === 'key').map(({ method, path: url }) => `${method} ${url}`)
  const shown: string[] = callExamples.map(({ call }) => call)
  expect(declared.filter((call) => !shown.includes(call))).toEqual([])
})

it('has an example receiver that handles each signed call once, and nothing else', async () => {
  const file = path.join(projectRoot, 'docs/examples/receive-webhooks.ts')
  expect(fs.readFileSync(file, 'utf8').trimEnd()).toBe(webhookExample)
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const port = await freePort()
  const receiver = spawn(process.execPath, [file], { env: { ...env, PORT: String(port), WEBHOOK_SECRET: secret, NODE_NO_WARNINGS: '1' } })
  let said = ''
  receiver.stdout.on('data', (data) => {
    said += data
  })
  const send = (body: string, signed = body) => {
    const headers = {
      'webhook-id': 'a',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': new Signer(secret).sign('a', new Date(), signed),
    }
    return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers }).then(
      ({ status }) => status,
      () => 0,
    )
  }
  try {
    await expect.poll(() => send(webhookPayload), { timeout: 20_000 }).toBe(204)
    expect(await send(webhookPayload)).toBe(204)
    expect(await send(webhookPayload.replace('review', 'message'), webhookPayload)).toBe(401)
    expect(said.match(/review\.created/g)).toHaveLength(1)
  } finally {
    receiver.kill()
  }
})
