import http from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Message } from '#contracts/messages.endpoints.ts'
import { newId } from '#server/kernel/ids.ts'
import { messagesOf } from '#tests/support/messages.ts'
import { startProcess, type TestProcess } from '#tests/support/processes.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'

/** Two people exchange messages through two server processes, each of which is killed and restarted along the way. */

type LiveEvent = { event: string; data: { unread?: number; unreadMessages?: number; conversationId?: string; who?: string } }

let test: TestApp
const sites = new Map<string, { site: TestProcess; origin: string }>()
const pages: { close(): void }[] = []

beforeEach(async () => {
  test = await startTestApp()
})
afterEach(async () => {
  for (const page of pages.splice(0)) page.close()
  for (const name of sites.keys()) await kill(name)
  sites.clear()
  await test.close()
})

async function start(name: string, env: Record<string, string>) {
  const { databaseUrl, sessionSecret } = test.ctx.config
  const site = startProcess('site-process.ts', [], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl as string,
      DATA_DIR: test.dataDir,
      SESSION_SECRET: sessionSecret,
      RATE_LIMIT_SCALE: '1000',
      MAX_EVENT_LOOP_DELAY_MS: '0',
      ...env,
    },
  })
  sites.set(name, { site, origin: String((await site.waitFor('ready')).origin) })
}

const kill = (name: string) => sites.get(name)?.site.end('SIGKILL')

/** Imitates a page: listens, catches up from its last message, and resends what may not have arrived. */
function openPage(server: string, as: TestPerson, conversationId: string) {
  const headers = { cookie: as.cookie }
  const origin = () => sites.get(server)?.origin ?? ''
  const received: Message[] = []
  const liveEvents: LiveEvent[] = []
  let isClosed = false
  let stream: http.ClientRequest | undefined
  let catching: Promise<void> | undefined
  let isBehind = false

  async function catchUp(): Promise<void> {
    isBehind = true
    catching ??= (async () => {
      while (isBehind && !isClosed) {
        isBehind = false
        const after = received.at(-1)?.sequence ?? 0
        const answer = await fetch(`${origin()}/api/conversations/${conversationId}/messages?after=${after}&limit=100`, { headers }).catch(
          () => null,
        )
        // The next connection starts with a hello, which triggers another catch-up.
        if (!answer?.ok) break
        const fresh = (await answer.json()) as Message[]
        received.push(...fresh)
        isBehind ||= fresh.length > 0
      }
    })().finally(() => {
      catching = undefined
    })
    await catching
  }

  function listen(): void {
    if (isClosed) return
    const again = () => setTimeout(listen, 100)
    stream = http.get(`${origin()}/api/live`, { headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
        const events = text.split('\n\n')
        text = events.pop() ?? ''
        for (const each of events) {
          const [, event = '', data = ''] = /event: (\w+)\ndata: (.*)/.exec(each) ?? []
          if (event) liveEvents.push({ event, data: JSON.parse(data) })
          if (event === 'hello' || event === 'messages') void catchUp()
        }
      })
      response.on('error', () => {})
      response.on('close', again)
    })
    stream.on('error', again)
  }
  listen()
  const page = {
    received,
    liveEvents,
    async send(content: string): Promise<Message> {
      const body = JSON.stringify({ id: newId(), content })
      for (;;) {
        const answer = await fetch(`${origin()}/api/conversations/${conversationId}/messages`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body,
        }).catch(() => null)
        if (answer?.status === 201) return (await answer.json()) as Message
        if (answer && answer.status < 500) throw new Error(await answer.text())
        await sleep(50)
      }
    },
    post: (path: string, body?: object) =>
      fetch(`${origin()}/api/conversations/${conversationId}${path}`, {
        method: 'POST',
        headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
        ...(body ? { body: JSON.stringify(body) } : {}),
      }),
    close() {
      isClosed = true
      stream?.destroy()
    },
  }
  pages.push(page)
  return page
}

const soon = { timeout: 30_000, interval: 20 }

it.each(['listen', 'poll'])(
  'exchanges messages between two pages across the restart of each process (LIVE_BUS=%s)',
  {
    timeout: 300_000,
  },
  async (LIVE_BUS) => {
    const mail = messagesOf(test)
    const [ann, ben] = [await test.signUp(), await test.signUp()]
    const id = await mail.between(ann, ben)
    await Promise.all([start('one', { LIVE_BUS }), start('two', { LIVE_BUS })])
    const [annsPage, bensPage] = [openPage('one', ann, id), openPage('two', ben, id)]
    for (const page of [annsPage, bensPage]) await expect.poll(() => page.liveEvents[0]?.event, soon).toBe('hello')

    // The message reaches the page on the other process live.
    const startedAt = performance.now()
    await annsPage.send('Are you there?')
    await expect.poll(() => bensPage.received.length, soon).toBe(1)
    process.stdout.write(`a message on the other process (${LIVE_BUS}): ${Math.round(performance.now() - startedAt)} ms\n`)
    await expect.poll(() => bensPage.liveEvents, soon).toContainEqual({ event: 'messages', data: { unread: 1, conversationId: id } })
    await bensPage.post('/typing')
    await expect.poll(() => annsPage.liveEvents, soon).toContainEqual({ event: 'typing', data: { conversationId: id, who: ben.user.id } })
    await bensPage.post('/read', { sequence: 1 })
    await expect.poll(() => bensPage.liveEvents.at(-1), soon).toEqual({ event: 'messages', data: { unread: 0, conversationId: id } })

    let isSending = true
    let pauseMs = 15
    const sent = { Ann: 0, Ben: 0 }
    const talk = async (page: ReturnType<typeof openPage>, name: keyof typeof sent) => {
      for (; isSending; sent[name]++) {
        await page.send(`${name} ${sent[name]}`)
        await sleep(pauseMs)
      }
    }
    const talking = [talk(annsPage, 'Ann'), talk(bensPage, 'Ben')]
    const more = async (...names: (keyof typeof sent)[]) => {
      const goals = names.map((name) => [name, sent[name] + 6] as const)
      await expect.poll(() => goals.every(([name, goal]) => sent[name] >= goal), { timeout: 60_000, interval: 20 }).toBe(true)
    }
    await more('Ann', 'Ben')
    for (const [killed, other] of [
      ['two', 'Ann'],
      ['one', 'Ben'],
    ] as const) {
      await kill(killed)
      await more(other)
      // Starting takes seconds, so send more slowly to keep the number of messages similar.
      pauseMs = 150
      await start(killed, { LIVE_BUS })
      pauseMs = 15
      await more('Ann', 'Ben')
    }
    isSending = false
    await Promise.all(talking)
    const sequences = Array.from({ length: 1 + sent.Ann + sent.Ben }, (_, i) => i + 1)
    for (const page of [annsPage, bensPage]) {
      await expect.poll(() => page.received.length, soon).toBe(sequences.length)
      expect(page.received.map(({ sequence }) => sequence)).toEqual(sequences)
      const said = page.received.map(({ content }) => content)
      for (const [name, count] of Object.entries(sent)) {
        // Each person's messages arrive in order, exactly once.
        expect(said.filter((content) => content.startsWith(`${name} `))).toEqual(Array.from({ length: count }, (_, i) => `${name} ${i}`))
      }
    }
    process.stdout.write(`${sent.Ann} and ${sent.Ben} messages through two kills (${LIVE_BUS}): none lost, doubled or out of order\n`)
    for (const page of [annsPage, bensPage]) {
      const hellos = page.liveEvents.filter(({ event }) => event === 'hello')
      expect(hellos.length).toBeGreaterThanOrEqual(2)
      expect(hellos.at(-1)?.data.unreadMessages).toBeGreaterThan(0)
    }
    expect(JSON.stringify([annsPage.liveEvents, bensPage.liveEvents])).not.toMatch(/Ann|Ben|there/)
  },
)
