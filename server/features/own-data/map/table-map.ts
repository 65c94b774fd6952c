import { type RawBuilder, sql } from 'kysely'

/** A condition on the table's columns that selects rows. `id` is a person's or a business's. */
export type Whose = (id: RawBuilder<unknown>) => RawBuilder<boolean>

/**
 * What happens to a column that names a person when that person's account is deleted:
 * - `row`: the whole row is deleted
 * - `emptied`: the row remains without the person
 * - `kept`: the ID remains but no longer refers to anything
 */
export type Fate = 'row' | 'emptied' | 'kept'

export type Part = {
  file: string
  whose: Whose
  /** Excluded columns, with the reason for each. */
  leftOut?: Readonly<Record<string, string>>
}

export type TableMap = {
  /** What a row is, in one sentence that the export also prints. */
  about: string
  people?: Readonly<Record<string, Fate>>
  /** The part in a person's export, or why there is none. */
  exported: Part | string
  ofBusiness?: Part
  /**
   * How a person's rows are deleted: by a feature's step, with another table (`users`: with the account), or not at all, with the reason.
   */
  erased: { by: string } | { with: string } | { stays: string }
}

export type Tables = Readonly<Record<string, TableMap>>

export const own =
  (column: string): Whose =>
  (id) =>
    sql<boolean>`${sql.ref(column)} = ${id}`

export const either =
  (...columns: string[]): Whose =>
  (id) =>
    sql<boolean>`(${sql.join(
      columns.map((column) => sql`${sql.ref(column)} = ${id}`),
      sql` or `,
    )})`

export const within =
  (column: string, table: string, whose: Whose, key = 'id'): Whose =>
  (id) =>
    sql<boolean>`${sql.ref(column)} in (select ${sql.ref(key)} from ${sql.table(table)} where ${whose(id)})`

export const anyOf =
  (...all: Whose[]): Whose =>
  (id) =>
    sql<boolean>`(${sql.join(
      all.map((whose) => whose(id)),
      sql` or `,
    )})`

export const withAccount = { with: 'users' } as const
export const ofNoOne = 'It contains nothing about a person.'
export const othersOnly = 'It is about other people.'
export const ofSearch = 'Created by the server for searching.'
