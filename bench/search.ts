import path from 'node:path'
import { numberOf } from './options.ts'
import { type Figure, timeRounds, withDataset } from './questions.ts'
import { save } from './report.ts'

/**
 * `npm run bench:search [-- --documents 1000000 --rounds 30 --keep FOLDER]`: times searches among this many documents: while typing,
 * with typos, for words that match everything and words that match nothing. FOLDER keeps the database.
 */
const documents = numberOf('--documents', 1_000_000)
const rounds = numberOf('--rounds', 30)
/** Limit for suggestions while typing. */
const maxTypingMs = 100

const typed = ['blue dream', 'cedar farms', 'strawberry c', 'ada brook', 'garden quiet', 'green glass', 'purple kush', 'winter soil']
const prefixes = typed.flatMap((text) => Array.from({ length: 11 }, (_, i) => text.slice(0, i + 2))).filter((text) => !text.endsWith(' '))
const asked: Record<string, { path: (q: string) => string; words: string[]; isTyping?: true }> = {
  'as typed, 2 to 12 letters': { path: suggestions, words: [...new Set(prefixes)], isTyping: true },
  'as typed, 2 letters': { path: suggestions, words: [...new Set(typed.map((text) => text.slice(0, 2)))], isTyping: true },
  'as typed, with slips': { path: suggestions, words: ['bleu dreem', 'strawbery', 'purpel kush', 'ganden', 'lemmon haze'], isTyping: true },
  'as typed, nothing': { path: suggestions, words: ['zzxyqq', 'qwxv plmk', 'xx yy zz'], isTyping: true },
  'common words': { path: search, words: ['garden', 'green', 'soil', 'bright harvest', 'the', 'first light'] },
  'rare words': { path: search, words: ['gorilla glue', 'zkittlez', 'cedar 4021', 'trichomes'] },
  'one kind': { path: (q) => `${search(q)}&kind=post`, words: ['garden', 'quiet river', 'season'] },
  'a place': { path: (q) => `${search(q)}&place=Denver, CO`, words: ['garden', 'farms', 'blue dream', 'cedar'] },
  'a state': { path: (q) => `${search(q)}&state=CO`, words: ['garden', 'farms', 'blue dream', 'cedar'] },
  facets: { path: (q) => `/api/search/facets?q=${encodeURIComponent(q)}`, words: ['garden', 'blue dream', 'cedar 4021', 'the'] },
}

function suggestions(q: string): string {
  return `/api/search/suggestions?q=${encodeURIComponent(q)}`
}
function search(q: string): string {
  return `/api/search?q=${encodeURIComponent(q)}`
}

const startedAt = new Date()
await withDataset({ name: 'search', size: documents }, async (server, headers) => {
  const figures: Figure[] = []
  for (const [question, { path: pathOf, words }] of Object.entries(asked)) {
    const asks = new Map(words.map((word) => [word, () => ask(server.origin + pathOf(word), headers)]))
    figures.push(await timeRounds(server, question, rounds, asks))
  }
  console.log(`Written to ${path.relative(process.cwd(), save({ documents, rounds, maxTypingMs, figures }, startedAt, 'search'))}`)
  const missed = figures.filter(({ question, p95Ms }) => asked[question]?.isTyping && p95Ms > maxTypingMs)
  if (missed.length > 0) {
    console.error(`Above ${maxTypingMs} ms: ${missed.map(({ question }) => question).join(', ')}`)
    process.exitCode = 1
  }
})

/** A search that timed out after a second counts as taking that second. */
async function ask(url: string, headers: Record<string, string>): Promise<void> {
  const answer = await fetch(url, { headers })
  const hits: unknown = await answer.json()
  if (!answer.ok && answer.status !== 503) throw new Error(`${url}: ${answer.status} ${JSON.stringify(hits)}`)
}
