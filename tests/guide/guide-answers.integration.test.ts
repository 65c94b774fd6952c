import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addBusiness } from '#tests/support/businesses.ts'
import { startTestApp, type TestApp, type TestPerson } from '#tests/support/test-app.ts'
import { addMenu, friday, itemNames, loadWorld, shops, type ViewerKey } from './world.ts'

/** A question as typed, with the contents of a correct answer. Words separated by `|` are alternatives. */
type Question = {
  ask: string
  /** Default: a 36-year-old in Denver. */
  viewer?: ViewerKey
  /** Default: Friday, June 12, 2026, at 6 PM in Denver. */
  at?: string
  /** Businesses or paths that must be in the answer. */
  finds?: string[]
  /** The business or item that must be named before any other. */
  first?: string
  says?: string[]
  lacks?: string[]
  /** Part of the address of the list that the answer links to. */
  filter?: string
  /** The honest answer is that the guide doesn't know. */
  unknown?: true
  refused?: string
  /** A greeting with examples. */
  hello?: true
}
type Answer = { answer: string; links: { title: string; path: string }[]; refused: string | null }
type Verdict = 'right' | "don't know" | 'wrong'

const parts = ['held-out', 'tuning', 'final'] as const
const maxWrong = 0.02

let test: TestApp
let people: Record<ViewerKey, TestPerson>
const verdicts: { part: string; group: string; verdict: Verdict; why: string }[] = []

beforeAll(async () => {
  test = await startTestApp()
  people = await loadWorld(test)
})
afterAll(() => test?.close())

it.each(parts)('answers the %s questions', async (part) => {
  const { groups } = JSON.parse(readFileSync(new URL(`./${part}.json`, import.meta.url), 'utf8')) as { groups: Record<string, Question[]> }
  for (const [group, questions] of Object.entries(groups)) {
    for (const question of questions) {
      test.clock.set(question.at ?? friday)
      const response = await test.request('POST', '/api/ai/questions', people[question.viewer ?? 'denver'], { question: question.ask })
      expect(response.statusCode, question.ask).toBe(200)
      const answer = response.json() as Answer
      const { verdict, why } = judge(question, answer)
      verdicts.push({ part, group, verdict, why })
      if (verdict !== 'right' && process.env.GUIDE_ANSWERS === part)
        console.info(`${verdict}: ${question.ask}\n  ${why}\n${JSON.stringify(answer)}\n`)
    }
  }
})

it('gets at least 90% of the questions right and at most 2% wrong', () => {
  for (const part of parts) {
    const groups = [...new Set(verdicts.filter((each) => each.part === part).map(({ group }) => group))]
    const rows = groups.map((group) => ({ group, ...count(verdicts.filter((each) => each.part === part && each.group === group)) }))
    console.info(part)
    console.table([...rows, { group: 'all', ...count(verdicts.filter((each) => each.part === part)) }])
  }
  const wrong = verdicts.filter(({ verdict }) => verdict === 'wrong').length
  expect(verdicts.length).toBeGreaterThanOrEqual(200)
  expect(wrong / verdicts.length).toBeLessThanOrEqual(maxWrong)
  expect(verdicts.filter(({ verdict }) => verdict === 'right').length / verdicts.length).toBeGreaterThanOrEqual(0.9)
})

const ask = async (question: string, viewer: ViewerKey = 'denver') =>
  ((await test.request('POST', '/api/ai/questions', people[viewer], { question })).json() as Answer).answer.split('\n')

it('compares and shows prices with tax', async () => {
  test.clock.set(friday)
  const [taxed, plain] = [await addBusiness(test.db, { city: 'Pueblo' }), await addBusiness(test.db, { city: 'Pueblo' })]
  await test.db.insertInto('menu_settings').values({ business_id: taxed.id, tax_rate: 25_000, prices_include_tax: false }).execute()
  await addMenu(test.db, taxed.id, [{ name: 'Papaya', category: 'Concentrates', price: 24, sale: 20, weight: 1 }])
  await addMenu(test.db, plain.id, [{ name: 'Guava', category: 'Concentrates', price: 22, weight: 1 }])
  expect((await ask('cheapest concentrates in pueblo')).slice(1)).toEqual([
    expect.stringMatching(/^Guava: \$22 for 1 g,/),
    expect.stringMatching(/^Papaya: \$25 for 1 g, on sale from \$30,/),
  ])
  expect((await ask('concentrates under $24 in pueblo')).slice(1)).toEqual([expect.stringMatching(/^Guava/)])
  expect((await ask('concentrates under $24 a gram in pueblo')).slice(1)).toEqual([expect.stringMatching(/^Guava/)])
})

it('lists deals only where prices may be advertised', async () => {
  const { id } = await addBusiness(test.db, { name: 'Cooper Counter', city: 'Detroit', state: 'MI' })
  await addMenu(test.db, id, [{ name: 'Papaya', category: 'Concentrates', price: 24, sale: 20, weight: 1 }])
  const noDeals = ['I don’t know whether prices may be advertised there, so I don’t list deals.']
  expect(await ask('deals in detroit')).toEqual(noDeals)
  expect(await ask('does cooper counter have deals')).toEqual(noDeals)
  expect((await ask('concentrates in detroit')).slice(1)).toEqual(['Papaya: $20 for 1 g, at Cooper Counter, Detroit, MI.'])
})

it('lists the events of a calendar week, weekend, or month', async () => {
  const events = async (question: string) => (await ask(question)).slice(1).map((line) => line.split(':')[0])
  expect(await events('events this month near denver')).toEqual(['Rosin Night', 'Sunday Growers Market'])
  expect(await events('events next month near denver')).toEqual(['Summer Glass Fair'])
  for (const next of ['week', 'weekend'])
    expect(await ask(`events next ${next}`)).toEqual([`I couldn’t find any events near Denver, CO next ${next}.`])
  test.clock.set('2026-06-07T12:00:00-06:00')
  expect(await events('events next week')).toEqual(['Rosin Night', 'Sunday Growers Market'])
  expect(await events('events next weekend')).toEqual(['Rosin Night', 'Sunday Growers Market'])
  expect(await events('events this week')).toEqual([])
  test.clock.set(friday)
})

it('warns of a license that isn’t in force', async () => {
  for (const question of ['who is expired greens', 'expired greens hours'])
    expect(await ask(question)).toEqual([expect.stringMatching(/; the register lists its license as inactive\.$/)])
})

it('applies the minimum age of a business’s own country', async () => {
  const { id } = await addBusiness(test.db, { name: 'Maple Counter', country: 'CA', city: 'Toronto', state: 'ON' })
  await addMenu(test.db, id, [{ name: 'Papaya', category: 'Concentrates', price: 20, weight: 1 }])
  expect(await ask('maple counter menu', 'denver-19')).toEqual(['Maple Counter: 1 item, including Papaya $20.'])
  expect(await ask('does maple counter have concentrates', 'denver-19')).toContainEqual(expect.stringMatching(/^Papaya: \$20/))
})

it('finds a business whose name begins with another city’s name', async () => {
  const { id } = await addBusiness(test.db, { name: 'Phoenix Counter', city: 'Denver' })
  await addMenu(test.db, id, [{ name: 'Papaya', category: 'Concentrates', price: 20, weight: 1 }])
  expect(await ask('concentrates at phoenix counter')).toEqual(['In stock at Phoenix Counter:', expect.stringMatching(/^Papaya: \$20/)])
  expect(await ask('phoenix counter hours')).toEqual(['I don’t know the hours of Phoenix Counter.'])
  expect(await ask('concentrates in phoenix')).toEqual(['I couldn’t find any concentrates in stock in Phoenix, AZ.'])
})

const count = (some: readonly { verdict: Verdict }[]) => ({
  right: some.filter(({ verdict }) => verdict === 'right').length,
  "don't know": some.filter(({ verdict }) => verdict === "don't know").length,
  wrong: some.filter(({ verdict }) => verdict === 'wrong').length,
})

function judge(question: Question, answer: Answer): { verdict: Verdict; why: string } {
  const why = faultOf(question, answer)
  if (why === null) return { verdict: 'right', why: '' }
  // In an emergency, no wrong answer is harmless.
  const isHarmless = question.refused !== 'emergency' && isUnknown(answer) && !question.lacks?.some((text) => mentions(answer, text))
  return { verdict: isHarmless ? "don't know" : 'wrong', why }
}

/** A single line saying that the guide doesn't know or found nothing. */
const isUnknown = ({ answer, refused }: Answer) => refused === null && /^(?:I don’t know|I couldn’t find|I can’t find) [^\n]*$/.test(answer)

function faultOf({ finds = [], first, says = [], lacks = [], filter, unknown, refused, hello }: Question, answer: Answer): string | null {
  const expected: (string | null)[] = refused?.split('|') ?? [null]
  if (!expected.includes(answer.refused)) return `refused as ${answer.refused}, not ${refused ?? null}`
  const unwanted = lacks.find((text) => mentions(answer, text))
  if (unwanted) return `mentions ${unwanted}`
  if (unknown) return isUnknown(answer) ? null : 'answers a question that it has no answer to'
  if (hello) return isHello(answer) ? null : 'isn’t a greeting with examples'
  if (isUnknown(answer) && !(finds.length === 0 && says.length === 0 && !first)) return 'says that it doesn’t know'
  const missing = [...finds, ...says].find((text) => !text.split('|').some((each) => mentions(answer, each)))
  if (missing) return `lacks ${missing}`
  if (first && firstNamed(answer) !== nameOf(first)) return `names ${firstNamed(answer)} first`
  if (filter && !answer.links.some(({ path }) => path.includes(filter))) return `has no link with ${filter}`
  return null
}

const isHello = ({ answer, refused }: Answer) => refused === null && (answer.match(/“/g)?.length ?? 0) === 3

const nameOf = (key: string): string => (shops as Record<string, { name: string }>)[key]?.name ?? key

/** Looks for a path at the start of the links' paths, and for any other text in the answer and the links' titles. */
function mentions({ answer, links }: Answer, text: string): boolean {
  if (text.startsWith('/')) return links.some(({ path }) => path.startsWith(text))
  const all = [answer, ...links.map(({ title }) => title)].join('\n').toLowerCase()
  return all.includes(nameOf(text).toLowerCase())
}

/** Skips the line that introduces the records. If two names begin at the same place, the longer one counts. */
function firstNamed({ answer }: Answer): string | null {
  const records = answer.replace(/^.*:\n/, '')
  const found = [...Object.keys(shops).map(nameOf), ...itemNames]
    .map((name) => ({ name, at: records.indexOf(name) }))
    .filter(({ at }) => at !== -1)
    .sort((a, b) => a.at - b.at || b.name.length - a.name.length)
  return found[0]?.name ?? null
}
