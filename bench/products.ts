import path from 'node:path'
import { numberOf } from './options.ts'
import { type Figure, timeRounds, withDataset } from './questions.ts'
import { save } from './report.ts'
import { nextCursor } from './sign-in.ts'

/**
 * `npm run bench:products [-- --items 1000000 --rounds 30 --keep FOLDER]`: times searches for menu items near places of all sizes among
 * this many items. FOLDER keeps the database.
 */
const items = numberOf('--items', 1_000_000)
const rounds = numberOf('--rounds', 30)
const maxMs = 100

const places = ['New York, NY', 'Los Angeles, CA', 'Denver, CO', '97201', 'Bend, OR', '41.88,-87.63', 'Moab, UT']
const list = (query: string) => `/api/products?${query}`
const asked: Record<string, string> = {
  'everything, nearest first': list(''),
  'common words': list('q=chocolate'),
  'a common strain': list('q=blue'),
  'words that no item has': list('q=zzxyqq'),
  'a category by its name': list('q=flower'),
  'a category, cheapest first': list('category=Edibles&sort=price'),
  'cheapest per gram in stock': list('sort=price_per_gram&inStock=true'),
  'most potent': list('sort=potency&strainType=indica'),
  'up to a price': list('maxPrice=15&q=chocolate&sort=price'),
  'open now': list('open=true'),
  deals: list('onSale=true'),
  'within 50 miles': list('radius=50'),
  'counts of words': '/api/products/counts?q=chocolate',
  'counts of everything': '/api/products/counts?',
}

const startedAt = new Date()
await withDataset({ name: 'products', size: items, settings: { MAX_EVENT_LOOP_DELAY_MS: '0' } }, async (server, headers) => {
  await describePlaces(server.origin, headers)
  const figures: Figure[] = []
  for (const question of [...Object.keys(asked), 'second page']) {
    const asks = new Map<string, () => Promise<unknown>>()
    for (const place of places) {
      const address = asked[question] ?? (await secondPage(server.origin, headers, place))
      asks.set(place, async () => (await ask(server.origin, headers, address, place)).json())
    }
    figures.push(await timeRounds(server, question, rounds, asks))
  }
  console.log(`Written to ${path.relative(process.cwd(), save({ items, rounds, maxMs, figures }, startedAt, 'products'))}`)
  const missed = figures.filter(({ p95Ms }) => p95Ms > maxMs)
  if (missed.length > 0) {
    console.error(`Above ${maxMs} ms: ${missed.map(({ question }) => question).join(', ')}`)
    process.exitCode = 1
  }
})

async function ask(origin: string, headers: Record<string, string>, address: string, place: string): Promise<Response> {
  const answer = await fetch(`${origin}${address}&near=${encodeURIComponent(place)}`, { headers })
  if (!answer.ok) throw new Error(`${address} near ${place}: ${answer.status} ${await answer.text()}`)
  return answer
}

async function describePlaces(origin: string, headers: Record<string, string>): Promise<void> {
  for (const place of places) {
    const counts = (await (await ask(origin, headers, '/api/products/counts?', place)).json()) as { itemCount: number; shopCount: number }
    console.log(`${place.padEnd(28)} ${counts.itemCount} items in ${counts.shopCount} shops`)
  }
}

async function secondPage(origin: string, headers: Record<string, string>, place: string): Promise<string> {
  const cursor = nextCursor(await ask(origin, headers, list(''), place))
  return cursor ? list(`cursor=${cursor}`) : list('')
}
