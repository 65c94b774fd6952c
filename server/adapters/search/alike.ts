import { sql } from 'kysely'
import type { Db } from '../../db/connect.ts'

/** Below this many letters nearly every word is one slip away from another. */
const shortestTypo = 4
const mostOthers = 3
const mostLookedAt = 40

/** So many letters may be wrong, missing, too many or exchanged with the next one. */
const slipsIn = (length: number) => (length < 8 ? 1 : 2)

/** For each word those of names that are written much like it. */
export async function wordsAlike(db: Db, words: readonly string[], hasTrigrams: boolean): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>()
  for (const word of words) {
    if (word.length < shortestTypo) continue
    const others = nearest(word, hasTrigrams ? await bySpelling(db, word) : await byBeginning(db, word))
    if (others.length > 0) found.set(word, others)
  }
  return found
}

const bySpelling = async (db: Db, word: string): Promise<string[]> => {
  const { rows } = await sql<{ word: string }>`
    select word from search_words where word % ${word} order by similarity(word, ${word}) desc, word limit ${mostLookedAt}`.execute(db)
  return rows.map((row) => row.word)
}

/** Where there are no trigrams: the first letter is right, and the length about so. */
const byBeginning = async (db: Db, word: string): Promise<string[]> => {
  const first = [...word][0] as string
  const rows = await db
    .selectFrom('search_words')
    .select('word')
    .where('word', '>=', first)
    .where('word', '<', `${first}\u{10FFFF}`)
    .where(sql<boolean>`length(word) between ${word.length - 2} and ${word.length + 2}`)
    .execute()
  return rows.map((row) => row.word)
}

/** Those with the fewest slips. */
export function nearest(word: string, all: readonly string[]): string[] {
  const candidates = all.filter((other) => other !== word)
  const most = slipsIn(word.length)
  const measured = candidates.map((other) => ({ other, slips: slipsBetween(word, other) })).filter(({ slips }) => slips <= most)
  const least = Math.min(...measured.map(({ slips }) => slips))
  return measured
    .filter(({ slips }) => slips === least)
    .slice(0, mostOthers)
    .map(({ other }) => other)
}

/** Damerau and Levenshtein's distance, in which no letter is moved twice. */
export function slipsBetween(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      let least = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        least = Math.min(least, (beforeLast[j - 2] as number) + 1)
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[other.length] as number
}
