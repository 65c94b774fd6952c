import { sql } from 'kysely'
import { expect } from 'vitest'
import type { Panel } from '#contracts/blind-panels.ts'
import { addHunt, addPlants, shareHunt } from './hunts.ts'
import { startTestApp, type TestApp, type TestPerson } from './test-app.ts'

export type Card = { jarName: string; cardNumber: number; url: string }
export const tokenOf = ({ url }: Card) => url.split('/').at(-1) as string

export const number = (question: number, value: number) => ({ question, value: { kind: 'number', number: value } })
export const options = (question: number, ...values: number[]) => ({ question, value: { kind: 'options', options: values } })

const anchors = (...labels: string[]) => labels.map((label, value) => ({ value, label }))

export type PanelWorld = Awaited<ReturnType<typeof startPanelWorld>>

/** People, and `renew`, which creates a hunt of four plants with traits to score. */
export async function startPanelWorld(env: Record<string, string> = {}) {
  const test: TestApp = await startTestApp({ env: { PUBLIC_URL: 'https://sungrove.example', ...env } })
  const [owner, writer, viewer, stranger] = [await test.signUp(), await test.signUp(), await test.signUp(), await test.signUp()]
  const world = { huntId: '', plants: [] as Awaited<ReturnType<typeof addPlants>>, aroma: '', smell: '' }

  async function send(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    as: TestPerson | null,
    body?: object,
    status = 200,
    // biome-ignore lint/suspicious/noExplicitAny: any response
  ): Promise<any> {
    const answer = await test.request(method, url, as, body)
    expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBe(status)
    return answer.body ? answer.json() : undefined
  }
  const addTrait = async (body: object): Promise<string> =>
    (await send('POST', `/api/pheno-hunts/${world.huntId}/traits`, owner, body, 201)).id
  const plantId = (i: number) => world.plants[i]?.id as string
  const newPanel = (details: object = {}) => ({
    name: 'Cup',
    traitIds: [world.aroma, world.smell],
    jars: [{ plantId: plantId(0), cureDays: 30 }, { plantId: plantId(1) }],
    ...details,
  })
  const panels = () => `/api/pheno-hunts/${world.huntId}/blind-panels`

  return {
    test,
    world,
    ...{ owner, writer, viewer, stranger },
    ...{ send, addTrait, plantId, newPanel, panels },
    async renew() {
      await test.db.deleteFrom('hunts').execute()
      world.huntId = (await addHunt(test.db, owner.user.id, { hunt_name: 'Phellodendron F2' })).id
      world.plants = await addPlants(test.db, world.huntId, 4)
      await shareHunt(test.db, world.huntId, writer.user.id, 'write')
      await shareHunt(test.db, world.huntId, viewer.user.id, 'view')
      world.aroma = await addTrait({ name: 'Aroma', kind: 'ordinal', options: anchors('faint', 'clear', 'loud') })
      world.smell = await addTrait({ name: 'Smells of', kind: 'checks', options: anchors('citrus', 'gas', 'pine') })
    },
    open: (details: object = {}): Promise<Panel> => send('POST', panels(), owner, newPanel(details), 201),
    list: (as = owner): Promise<Panel[]> => send('GET', panels(), as),
    print: async (panel: Panel, body: object = {}): Promise<Card[]> =>
      (await send('POST', `/api/blind-panels/${panel.id}/prints`, owner, body)).cards,
    close: (panel: Panel, as = writer): Promise<Panel> => send('PUT', `/api/blind-panels/${panel.id}/closed`, as),
    jarOf: (panel: Panel, i: number) => panel.jars.find(({ plant }) => plant?.plantId === plantId(i)) as Panel['jars'][number],
    answer: (token: string, scores: object[], more: object = {}, as: TestPerson | null = null) =>
      test.request('POST', `/api/taste/${token}`, as, { isAdult: true, scores, ...more }),
    /** Opens this many connections in advance, so that several calls run together instead of waiting for connections. */
    async meetAtOnce(count: number): Promise<void> {
      await Promise.all(Array.from({ length: count }, () => sql`select pg_sleep(0.05)`.execute(test.db)))
    },
    async events(): Promise<string[]> {
      const rows = await test.db
        .selectFrom('hunt_events')
        .select('kind')
        .where('hunt_id', '=', world.huntId)
        .where('kind', 'like', 'panel.%')
        .execute()
      return rows.map(({ kind }) => kind).toSorted()
    },
  }
}
