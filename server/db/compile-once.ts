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
type Compilable<Row> = { compile(db: Db): CompiledQuery<Row> }

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
    statement ??= build(db, slotsOf<Params>(names)).compile(db)
    const parameters = statement.parameters.map((value) => (value instanceof Slot ? params[value.name] : value))
    const { rows } = await db.executeQuery<Row>({ ...statement, parameters })
    return rows
  }
}

const slotsOf = <Params>(names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, sql`${new Slot(name)}`])) as unknown as Slots<Params>
