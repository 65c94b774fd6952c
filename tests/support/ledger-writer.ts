// Run by the ledger test as a separate process: `node ledger-writer.ts DATA_DIR FIRST_NUMBER`. Writes numbered rows as the application
// would, four at a time, and prints each number after the database has confirmed it.
import fs from 'node:fs'
import { sql } from 'kysely'
import { connect } from '#server/db/connect.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { assertSafe } from '#server/db/migrate.ts'
import { inTransaction } from '#server/db/transaction.ts'

const [dataDir = '', first = '1'] = process.argv.slice(2)
const embedded = await startEmbedded({ dataDir, as: 'server', log: { info() {}, warn() {} } })
const { db } = connect(embedded.url, { databasePoolSize: 4, statementTimeoutMs: 5000, lockTimeoutMs: 2000 }, { warn() {} })
await assertSafe(db)
await sql`create table if not exists ledger (number int primary key, account int not null)`.execute(db)
await sql`create table if not exists balances (account int primary key, entries int not null)`.execute(db)

let next = Number(first)
async function write(): Promise<void> {
  for (;;) {
    const number = next++
    const account = number % 3
    try {
      await inTransaction(db, async (tx) => {
        await sql`insert into ledger values (${number}, ${account})`.execute(tx)
        await sql`insert into balances values (${account}, 1)
          on conflict (account) do update set entries = balances.entries + 1`.execute(tx)
      })
      // Synchronous, so a confirmation isn't lost when this process is killed.
      fs.writeSync(1, `${JSON.stringify({ event: 'confirmed', number })}\n`)
    } catch {
      // The database is down or shutting down, so nothing was confirmed.
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
}
await Promise.all([write(), write(), write(), write()])
