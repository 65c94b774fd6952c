import { sql } from 'kysely'
import type { Db } from '#server/db/connect.ts'

/** Shorter words are nearly all one typo apart. */
const shortestTypo = 4
const maxAlternatives = 3
const maxExamined = 40

/** Typos tolerated in a word: wrong, missing, extra or swapped letters. */
const slipsIn = (length: number) => (length < 8 ? 1 : 2)

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
    select word from search_words where word % ${word} order by similarity(word, ${word}) desc, word limit ${maxExamined}`.execute(db)
  return rows.map((row) => row.word)
}

/** Fallback without trigrams: same first letter and similar length. */
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

export function nearest(word: string, all: readonly string[]): string[] {
  const candidates = all.filter((other) => other !== word)
  const maxSlips = slipsIn(word.length)
  const measured = candidates.map((other) => ({ other, slips: slipsBetween(word, other) })).filter(({ slips }) => slips <= maxSlips)
  const min = Math.min(...measured.map(({ slips }) => slips))
  return measured
    .filter(({ slips }) => slips === min)
    .slice(0, maxAlternatives)
    .map(({ other }) => other)
}

/** Damerau–Levenshtein distance (optimal string alignment: no letter is swapped twice). */
export function slipsBetween(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, i) => i)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      let min = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + (isSame ? 0 : 1))
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1])
        min = Math.min(min, (beforeLast[j - 2] as number) + 1)
      row.push(min)
    }
    beforeLast = last
    last = row
  }
  return last[other.length] as number
}
