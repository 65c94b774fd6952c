import fs from 'node:fs'
import pg from 'pg'

/**
 * Preloaded into a server (`node --import`): counts the statements that it runs between two SIGUSR2 signals, and how many of those
 * PostgreSQL planned just for one execution. Writes the file STATEMENTS_FILE when it begins, and again with both numbers when it ends.
 */
export type Counted = { statements: number; planned: number }

const clients = new Set<pg.Client>()
/** Null while nothing is counted. */
let counted: { texts: string[]; genericBefore: Map<string, number> } | null = null

const { query } = pg.Client.prototype as { query: (this: pg.Client, ...given: unknown[]) => unknown }
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  clients.add(this)
  const [asked] = given as [string | { text: string }]
  counted?.texts.push(typeof asked === 'string' ? asked : asked.text)
  return query.apply(this, given)
} as typeof pg.Client.prototype.query

/** How often the connections executed each prepared statement with an existing plan. */
async function genericExecutions(): Promise<Map<string, number>> {
  const sums = new Map<string, number>()
  for (const client of clients) {
    const answer = query.call(client, 'select statement, generic_plans from pg_prepared_statements')
    const { rows } = (await (answer as Promise<unknown>).catch(() => ({ rows: [] }))) as pg.QueryResult
    for (const { statement, generic_plans } of rows) sums.set(statement, (sums.get(statement) ?? 0) + Number(generic_plans))
  }
  return sums
}

/** Background work doesn't count. Statements that begin or end a transaction need no plan. */
const isForRequest = (text: string) => !/pgboss|search_changes|notify/i.test(text)
const needsPlan = (text: string) => !/^(begin|commit|rollback)/i.test(text)

/** Renamed when complete, so no one reads an incomplete file. */
function write(content: Partial<Counted>): void {
  const file = process.env.STATEMENTS_FILE as string
  fs.writeFileSync(`${file}.new`, JSON.stringify(content))
  fs.renameSync(`${file}.new`, file)
}

process.on('SIGUSR2', async () => {
  if (counted === null) {
    counted = { texts: [], genericBefore: await genericExecutions() }
    return write({})
  }
  const { texts, genericBefore } = counted
  counted = null
  const after = await genericExecutions()
  const own = texts.filter(isForRequest)
  const planned = own.filter((text) => needsPlan(text) && (after.get(text) ?? 0) === (genericBefore.get(text) ?? 0))
  write({ statements: own.length, planned: planned.length })
})
