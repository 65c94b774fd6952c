import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts'
import { statementsOf } from '#tests/support/statements.ts'
import { compileShared } from './compile-once.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

const countdown = compileShared<{ from: number }, { n: number }>(
  { from: 'integer' },
  (_db, { from }) => sql<{ n: number }>`select n from generate_series(1, ${from}) as n order by n desc`,
  sql`answer.n desc`,
)
const countdowns = (starts: readonly number[]) =>
  Promise.all(starts.map(async (from) => (await countdown(database.db, { from })).map(({ n }) => n)))

it('combines reads of one event-loop turn into one statement, and returns to each read only its own rows', async () => {
  let answers: number[][] = []
  const statements = await statementsOf(async () => {
    answers = await countdowns([3, 0, 1, 2])
  })
  expect(answers).toEqual([[3, 2, 1], [], [1], [2, 1]])
  expect(statements).toHaveLength(1)
})

it('splits many reads into several statements', async () => {
  const starts = Array.from({ length: 40 }, (_, start) => start)
  let answers: number[][] = []
  const statements = await statementsOf(async () => {
    answers = await countdowns(starts)
  })
  expect(answers.map(({ length }) => length)).toEqual(starts)
  expect(statements).toHaveLength(3)
})

it('passes lists of any length and any text as parameters', async () => {
  const words = compileShared<{ list: readonly string[] }, { word: string }>(
    { list: 'text[]' },
    (_db, { list }) => sql<{ word: string }>`select word from unnest(${list}) with ordinality as each (word, place) order by place`,
    sql`answer.word`,
  )
  const lists = [[' ', '"', ',', 'NULL', '\\', '{a,b}', 'plain'], [], ['NULL']]
  const answers = await Promise.all(lists.map((list) => words(database.db, { list })))
  expect(answers.map((rows) => rows.map(({ word }) => word).sort())).toEqual(lists.map((list) => list.toSorted()))
})

it('passes null and times as parameters', async () => {
  const echo = compileShared<{ time: Date | null }, { time: Date | null }>(
    { time: 'timestamptz' },
    (_db, { time }) => sql<{ time: Date | null }>`select ${time} as time`,
  )
  const times = [new Date('2026-11-28T21:00:00.123Z'), null]
  const answers = await Promise.all(times.map((time) => echo(database.db, { time })))
  expect(answers.map(([row]) => row?.time)).toEqual(times)
})

it('fails only the read whose value PostgreSQL refuses', async () => {
  const toNumber = compileShared<{ text: string }, { n: number }>(
    { text: 'text' },
    (_db, { text }) => sql<{ n: number }>`select ${text}::integer as n`,
  )
  const answers = await Promise.allSettled(['1', 'two', '3'].map((text) => toNumber(database.db, { text })))
  expect(answers).toMatchObject([
    { status: 'fulfilled', value: [{ n: 1 }] },
    { status: 'rejected', reason: { code: '22P02' } },
    { status: 'fulfilled', value: [{ n: 3 }] },
  ])
})
