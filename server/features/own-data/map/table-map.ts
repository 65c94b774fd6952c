import { type RawBuilder, sql } from 'kysely'

/** Which rows, as a condition over the table's own columns. `id`: of a person or a business. */
export type Whose = (id: RawBuilder<unknown>) => RawBuilder<boolean>

/**
 * What becomes of a column that names a person when that person's account is deleted:
 * - `row`: the whole row goes
 * - `emptied`: the row stays and names nobody
 * - `kept`: the id stays, as a number behind which there is nothing any more
 */
export type Fate = 'row' | 'emptied' | 'kept'

export type Part = {
  /** The name of its file in the export. */
  file: string
  whose: Whose
  /** Columns that are not in it, and why. */
  leftOut?: Readonly<Record<string, string>>
}

/** What one table holds about people. */
export type TableMap = {
  /** What a row is, in a sentence that stands in the export, too. */
  about: string
  /** Every column that holds the id of a person. */
  people?: Readonly<Record<string, Fate>>
  /** What of it is in a person's export; or why nothing is. */
  exported: Part | string
  /** What of it is in the export of a business, for its owner. */
  ofBusiness?: Part
  /**
   * How its rows about somebody go: by a step of a feature, with another table (`users`: with the account), or not at all, for a reason.
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

/** Rows that belong to rows of another table, by its id. */
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
export const nobodys = 'It says nothing about a person.'
export const othersOnly = 'It is about others.'
export const ofSearch = 'Made by the server to find things by.'
