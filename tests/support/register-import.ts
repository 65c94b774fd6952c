import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type ImportTask, importLicenses } from '#server/features/directory/import-licenses.ts'
import { createTestClock } from './clock.ts'
import { createTestDatabase } from './database.ts'

const header = 'state,license_number,dba_name,license_type,business_type,license_status,street,city,zip,phone,authority,data_refreshed'

/** A separate database, and functions that import register files into it. */
export async function startRegisterImports() {
  const database = await createTestDatabase()
  const clock = createTestClock()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'import-'))
  function importFile(content: string | Buffer, options: Partial<ImportTask> = {}) {
    const file = path.join(folder, 'register.csv')
    writeFileSync(file, content)
    return importLicenses({ db: database.db, clock }, { file, dataDir: folder, onRefused: () => undefined, ...options })
  }
  return {
    database,
    clock,
    /** Imports a file with these rows. */
    run: (...rows: string[]) => importFile([header, ...rows, ''].join('\n')),
    importFile,
    async close() {
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
