import { type CompiledQuery, type Expression, type RawBuilder, sql } from 'kysely'
import { type Db, directRunOf } from './connect.ts'
import { sqlState } from './transaction.ts'

class Slot {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

export type Slots<Params> = { readonly [Name in keyof Params]: RawBuilder<Params[Name]> }
export type Compilable<Row> = { compile(db: Db): CompiledQuery<Row> }

/**
 * Compiles a statement with constant text on first use and then only fills it in. The busiest reads use this, because building the same
 * text again takes longer than the query. `build` may use each slot any number of times, wherever a value is allowed.
 */
export function compileOnce<Params extends Record<string, unknown>, Row>(
  names: readonly (keyof Params & string)[],
  build: (db: Db, slots: Slots<Params>) => Compilable<Row>,
): (db: Db, params: Params) => Promise<Row[]> {
  let statement: CompiledQuery<Row> | undefined
  return async (db, params) => {
    statement ??= numberedOnce(build(db, slotsOf<Params>(names)).compile(db))
    const parameters = statement.parameters.map((value) => (value instanceof Slot ? params[value.name] : value))
    // Bypasses Kysely, which passes a statement through many more promises.
    const run = directRunOf(db)
    const { rows } = run ? await run(statement.sql, parameters) : await db.executeQuery<Row>({ ...statement, parameters })
    return rows
  }
}

const slotsOf = <Params>(names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, sql`${new Slot(name)}`])) as unknown as Slots<Params>

/** Gives each slot one number, even if it is used often. Otherwise, a feed would send its viewer's ID many times. */
function numberedOnce<Row>(statement: CompiledQuery<Row>): CompiledQuery<Row> {
  const parameters: unknown[] = []
  const numbers = statement.parameters.map((value) => {
    const earlier = value instanceof Slot ? parameters.findIndex((each) => each instanceof Slot && each.name === value.name) : -1
    return earlier === -1 ? parameters.push(value) : earlier + 1
  })
  return { ...statement, sql: statement.sql.replace(/\$(\d+)/g, (_, number) => `$${numbers[Number(number) - 1]}`), parameters }
}

/**
 * Lets up to `maxSize` reads of a source that begin in the same turn of the event loop share a statement, because under load, round trips
 * cost more than the rows. `read` returns its results in the order of its items. If it fails, all reads fail. However, if an invalid value
 * may be at fault, each read is repeated alone.
 */
export function batchPerTurn<Source extends object, Item, Answer>(
  maxSize: number,
  read: (source: Source, items: readonly Item[]) => Promise<readonly Answer[]>,
): (source: Source, item: Item) => Promise<Answer> {
  type Waiting = { item: Item; resolve(answer: Answer): void; reject(error: unknown): void }
  const waiting = new WeakMap<Source, Waiting[]>()

  async function answer(source: Source, batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await read(
        source,
        batch.map(({ item }) => item),
      )
      for (const [index, { resolve }] of batch.entries()) resolve(answers[index] as Answer)
    } catch (error) {
      if (batch.length > 1 && isInvalidValue(error)) for (const one of batch) void answer(source, [one])
      else for (const { reject } of batch) reject(error)
    }
  }
  function flush(source: Source): void {
    const all = waiting.get(source) ?? []
    waiting.delete(source)
    for (let from = 0; from < all.length; from += maxSize) void answer(source, all.slice(from, from + maxSize))
  }
  return (source, item) =>
    new Promise((resolve, reject) => {
      const others = waiting.get(source)
      if (others) others.push({ item, resolve, reject })
      else {
        waiting.set(source, [{ item, resolve, reject }])
        setImmediate(flush, source)
      }
    })
}

const isInvalidValue = (error: unknown) => sqlState(error)?.startsWith('22') === true

/** The PostgreSQL type of each parameter, which may be a list: `uuid[]`. */
export type ParamTypes<Params> = { readonly [Name in keyof Params]: string }

/** Small enough that several connections work at a time under load. */
const maxBatchSize = 16

/**
 * `compileOnce` for reads that many people make at the same time. Reads that begin in the same turn share a statement, with a row of
 * parameters for each, because setting up a plan takes PostgreSQL longer than reading a few rows by key.
 *
 * `offset 0` prevents the planner from combining the rows of parameters, so each is read as if it were alone. Reads that return more than
 * one row need an order (`sortedBy`, on columns of `answer`), because a join doesn't guarantee one.
 */
export function compileShared<Params extends Record<string, unknown>, Row>(
  types: NoInfer<ParamTypes<Params>>,
  build: (db: Db, slots: Slots<Params>) => Compilable<Row> & Expression<unknown>,
  sortedBy?: RawBuilder<unknown>,
): (db: Db, params: Params) => Promise<Row[]> {
  const names = Object.keys(types) as (keyof Params & string)[]
  const typeOf = (name: keyof Params): string => (types as ParamTypes<Params>)[name]
  const isList = (name: keyof Params) => typeOf(name).endsWith('[]')
  const slotOf = (name: keyof Params & string) => {
    const column = sql.ref(`asked.${name}`)
    return isList(name) ? sql`${column}::${sql.raw(typeOf(name))}` : column
  }
  const slots = Object.fromEntries(names.map((name) => [name, slotOf(name)])) as unknown as Slots<Params>
  const statement = compileOnce<Record<string, unknown[]>, Row & { position: number }>(names, (db, lists) => {
    // Without subselects, PostgreSQL would plan each execution again: see `pageIds`.
    const columns = names.map((name) => sql`(select ${lists[name]}::${sql.raw(isList(name) ? 'text' : typeOf(name))}[])`)
    return sql<Row & { position: number }>`
      select asked.position::integer as position, answer.*
      from unnest(${sql.join(columns)}) with ordinality as asked (${sql.join(names.map((name) => sql.id(name)))}, position)
      cross join lateral (select * from (${build(db, slots)}) as one offset 0) as answer
      ${sortedBy ? sql`order by asked.position, ${sortedBy}` : sql``}`
  })
  return batchPerTurn(maxBatchSize, async (db: Db, batch: readonly Params[]) => {
    const paramOf = (params: Params, name: keyof Params) => (isList(name) ? toLiteral(params[name] as string[]) : params[name])
    const lists = Object.fromEntries(names.map((name) => [name, batch.map((params) => paramOf(params, name))]))
    const answers = batch.map((): Row[] => [])
    for (const row of await statement(db, lists)) answers[row.position - 1]?.push(row)
    return answers
  })
}

/** A list as text that PostgreSQL casts to an array. Several lists are an array of such texts, because their lengths may differ. */
const toLiteral = (list: readonly string[]): string => `{${list.map((each) => `"${each.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
