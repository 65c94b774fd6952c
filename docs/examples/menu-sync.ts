/**
 * Sends the menu of a point of sale. Create a key in the dashboard under Menu, Connections; never put it into a web page.
 *
 *   SITE=https://example.com MENU_KEY=sgk_… node menu-sync.ts menu.json
 *
 * The file has a list of items: see `POST /api/integrations/menu/items` in `/api/integrations/openapi.json`.
 */
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

type Sync = {
  id: string
  status: 'running' | 'done' | 'failed' | 'undone'
  error: string | null
  itemsAdded: number
  itemsChanged: number
  itemsMissing: number
  itemsRejected: number
  errors: { index: number; id: string | null; field: string | null; message: string }[]
}

const maxTries = 5

/** Sends the complete menu and waits until it is applied. Repeating it is safe. */
export async function syncMenu(site: string, key: string, items: readonly object[], pauseMs = 1000): Promise<Sync> {
  const call = async <Answer>(path: string, init: RequestInit = {}): Promise<Answer> => {
    for (let tries = 1; ; tries++) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const answer = await fetch(site + path, { ...init, headers })
      if (answer.ok) return (await answer.json()) as Answer
      // Another sync is running, too many calls, or the service is busy.
      const isTemporary = [409, 429, 503].includes(answer.status)
      if (!isTemporary || tries === maxTries) throw new Error(`${answer.status}: ${await answer.text()}`)
      await sleep(Number(answer.headers.get('retry-after') ?? 1) * pauseMs)
    }
  }
  let sync = await call<Sync>('/api/integrations/menu/items', { method: 'POST', body: JSON.stringify({ items }) })
  while (sync.status === 'running') {
    await sleep(pauseMs)
    sync = (await call<{ sync: Sync }>(`/api/integrations/menu/status?sync=${sync.id}`)).sync
  }
  if (sync.status !== 'done') throw new Error(sync.error ?? 'The sync failed.')
  return sync
}

const { SITE, MENU_KEY } = process.env
const [, , file] = process.argv
if (SITE && MENU_KEY && file) {
  const { errors, ...counts } = await syncMenu(SITE, MENU_KEY, JSON.parse(await readFile(file, 'utf8')))
  console.log(counts)
  for (const { index, id, field, message } of errors) console.error(`Item ${id ?? index + 1}${field ? `, ${field}` : ''}: ${message}`)
}
