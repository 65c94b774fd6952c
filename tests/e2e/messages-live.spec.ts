import net from 'node:net'
import { type Browser, test as base, expect, type Page } from '@playwright/test'
import type { CurrentUser } from '#contracts/accounts.ts'
import type { Conversation } from '#contracts/messages.endpoints.ts'
import { type SeparateServer, startSeparateServer } from '#tests/support/separate-server.ts'
import { put } from './members.ts'
import { composer, shownMessages } from './messages.ts'
import { joinByCall, newPerson } from './people.ts'

/** A separate server that keeps its address when it is killed and restarted. */
const test = base.extend<object, { server: SeparateServer & { address: string } }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures it names
    async ({}, use) => {
      const port = await freePort()
      const address = `http://localhost:${port}`
      const server = await startSeparateServer({ PORT: String(port), PUBLIC_URL: address })
      await use({ ...server, address })
      await server.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})

test.setTimeout(120_000)

async function openAs(browser: Browser, address: string, firstName: string): Promise<{ page: Page; user: CurrentUser; name: string }> {
  const context = await browser.newContext({ baseURL: address })
  const page = await context.newPage()
  await joinByCall(page, { ...newPerson(), firstName })
  const user = (await (await page.request.get('/api/auth/user')).json()) as CurrentUser
  return { page, user, name: `${firstName} Vale` }
}

async function write(page: Page, to: string, text: string): Promise<void> {
  await composer(page, to).fill(text)
  await composer(page, to).press('Enter')
}

const idsOf = (page: Page) => shownMessages(page).evaluateAll((rows) => rows.map((row) => row.getAttribute('data-message')))

test('exchanges messages live across a server restart without losing, duplicating, or reordering any', async ({ browser, server }) => {
  const [a, b] = [await openAs(browser, server.address, 'Ann'), await openAs(browser, server.address, 'Ben')]
  await put(a.page, `/api/people/${b.user.id}/follow`)
  await put(b.page, `/api/people/${a.user.id}/follow`)
  const opened = await a.page.request.post('/api/conversations', { data: { to: { kind: 'person', id: b.user.id } } })
  const { id } = (await opened.json()) as Conversation
  await Promise.all([a.page.goto(`/messages/${id}`), b.page.goto(`/messages/${id}`)])

  const texts: string[] = []
  const say = async (who: 'a' | 'b', text: string) => {
    texts.push(text)
    await (who === 'a' ? write(a.page, b.name, text) : write(b.page, a.name, text))
  }
  for (let index = 1; index <= 3; index++) {
    await say('a', `Ann before ${index}`)
    await say('b', `Ben before ${index}`)
  }
  await expect(shownMessages(a.page)).toHaveCount(6)
  await expect(shownMessages(b.page)).toHaveCount(6)

  // Kill the server while messages are being sent.
  await say('a', 'Ann while it ends')
  await say('b', 'Ben while it ends')
  server.kill()
  for (let index = 1; index <= 3; index++) {
    await say('a', `Ann without ${index}`)
    await say('b', `Ben without ${index}`)
  }
  await expect(a.page.getByText('Not sent.')).toBeVisible()
  await server.restart()
  await say('a', 'Ann after')
  await say('b', 'Ben after')

  for (const { page } of [a, b]) {
    await expect(shownMessages(page)).toHaveCount(texts.length, { timeout: 60_000 })
    await expect(page.getByText(/Sending\.\.\.|Waiting\.\.\./)).toHaveCount(0, { timeout: 60_000 })
    await expect(page.getByText('Not sent.')).toHaveCount(0)
  }
  await expect.poll(() => idsOf(b.page)).toEqual(await idsOf(a.page))
  for (const text of texts) for (const { page } of [a, b]) await expect(shownMessages(page).getByText(text, { exact: true })).toHaveCount(1)
  // Each person's messages are in the order written.
  const said = await shownMessages(a.page).allInnerTexts()
  for (const who of ['Ann', 'Ben']) {
    const wanted = texts.filter((text) => text.startsWith(who))
    const places = wanted.map((text) => said.findIndex((each) => each.includes(text)))
    expect(places).toEqual(places.toSorted((one, other) => one - other))
  }
  // The page matches the server.
  const before = await idsOf(a.page)
  await a.page.reload()
  await expect(shownMessages(a.page)).toHaveCount(texts.length)
  expect(await idsOf(a.page)).toEqual(before)
})

test('removes messages from an open conversation when they are deleted on another device', async ({ browser, server }) => {
  const [a, b] = [await openAs(browser, server.address, 'Ann'), await openAs(browser, server.address, 'Ben')]
  await put(a.page, `/api/people/${b.user.id}/follow`)
  await put(b.page, `/api/people/${a.user.id}/follow`)
  const opened = await a.page.request.post('/api/conversations', { data: { to: { kind: 'person', id: b.user.id } } })
  const { id } = (await opened.json()) as Conversation
  await a.page.goto(`/messages/${id}`)
  await write(a.page, b.name, 'Wrong window')
  await write(a.page, b.name, 'Sorry')
  await expect(a.page.getByText(/Sending\.\.\.|Waiting\.\.\./)).toHaveCount(0)
  const [wrong] = await idsOf(a.page)
  expect((await a.page.request.delete(`/api/messages/${wrong}`)).status()).toBe(204)
  await expect(shownMessages(a.page)).toHaveText([/Sorry/])
  expect((await a.page.request.delete(`/api/conversations/${id}`)).status()).toBe(204)
  await expect(shownMessages(a.page)).toHaveCount(0)
})

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = net.createServer().once('error', reject)
    probe.listen(0, () => {
      const { port } = probe.address() as net.AddressInfo
      probe.close(() => resolve(port))
    })
  })
}
