import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from './connect.ts'

/** A placeholder in a statement, filled in for every execution. */
class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export type Slots<Params> = { readonly [Name in keyof Params]: RawBuilder<Params[Name]> }
export type Compilable<Row> = { compile(db: Db): CompiledQuery<Row> }

/**
 * A statement with constant text, compiled on first use and then only filled in. For the busiest reads, where building the same text
 * again takes longer than the query. `build` may use each slot any number of times, wherever a value is allowed.
 */
export function compileOnce<Params extends Record<string, unknown>, Row>(
  names: readonly (keyof Params & string)[],
  build: (db: Db, slots: Slots<Params>) => Compilable<Row>,
): (db: Db, params: Params) => Promise<Row[]> {
  let statement: CompiledQuery<Row> | undefined
  return async (db, params) => {
    statement ??= numberedOnce(build(db, slotsOf<Params>(names)).compile(db))
    const parameters = statement.parameters.map((value) => (value instanceof Slot ? params[value.name] : value))
    const { rows } = await db.executeQuery<Row>({ ...statement, parameters })
    return rows
  }
}

const slotsOf = <Params>(names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, sql`${new Slot(name)}`])) as unknown as Slots<Params>

/** Gives each slot one number, however often it is used. A feed otherwise sends its reader's ID 25 times. */
function numberedOnce<Row>(statement: CompiledQuery<Row>): CompiledQuery<Row> {
  const parameters: unknown[] = []
  const numbers = statement.parameters.map((value) => {
    const earlier = value instanceof Slot ? parameters.findIndex((each) => each instanceof Slot && each.name === value.name) : -1
    return earlier === -1 ? parameters.push(value) : earlier + 1
  })
  return { ...statement, sql: statement.sql.replace(/\$(\d+)/g, (_, number) => `$${numbers[Number(number) - 1]}`), parameters }
}

/**
 * Lets reads that begin in the same turn of the event loop share a statement, at most `maxSize` of them: under load, round trips cost
 * more than the rows. `read` returns its results in the order of its items. If it fails, they all fail.
 */
export function oncePerTurn<Item, Answer>(
  maxSize: number,
  read: (db: Db, items: readonly Item[]) => Promise<readonly Answer[]>,
): (db: Db, item: Item) => Promise<Answer> {
  type Waiting = { item: Item; resolve(answer: Answer): void; reject(error: unknown): void }
  const waiting = new WeakMap<Db, Waiting[]>()

  async function answer(db: Db, batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await read(
        db,
        batch.map(({ item }) => item),
      )
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
  function flush(db: Db): void {
    const all = waiting.get(db) ?? []
    waiting.delete(db)
    for (let from = 0; from < all.length; from += maxSize) void answer(db, all.slice(from, from + maxSize))
  }
  return (db, item) =>
    new Promise((resolve, reject) => {
      const others = waiting.get(db)
      if (others) others.push({ item, resolve, reject })
      else {
        waiting.set(db, [{ item, resolve, reject }])
        setImmediate(flush, db)
      }
    })
}
