// npm run db:schema [-- --check]: writes server/db/schema.ts from the migrations. --check only verifies it.
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describeSchema } from '#server/db/describe-schema.ts'
import { startEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'

const target = path.join(import.meta.dirname, '../db/schema.ts')

async function freshSchema(): Promise<string> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'sungrove-schema-'))
  const silent = { info() {}, warn() {} }
  const embedded = await startEmbedded({ dataDir, as: 'command', log: silent, settings: { fsync: 'off' } })
  try {
    await migrate(embedded.url)
    return await describeSchema(embedded.url)
  } finally {
    await embedded.stop()
    fs.rmSync(dataDir, { recursive: true, force: true })
  }
}

const isCheck = process.argv.includes('--check')
const schema = await freshSchema()
const isCurrent = fs.existsSync(target) && fs.readFileSync(target, 'utf8') === schema
if (isCheck && !isCurrent) {
  console.error('server/db/schema.ts does not match the migrations. Run npm run db:schema.')
  process.exitCode = 1
} else if (!isCurrent) {
  fs.writeFileSync(target, schema)
  console.log('Wrote server/db/schema.ts.')
} else console.log('server/db/schema.ts matches the migrations.')
