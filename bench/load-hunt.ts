import fs from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import sharp from 'sharp'
import { setAsideConstraints } from '#server/backup/secrets.ts'
import { withDatabase } from '#server/commands/run-command.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { hashPassword, insertAccount } from '#server/features/accounts/index.ts'
import { newId } from '#server/kernel/ids.ts'
import { pictureSizes } from '#server/kernel/media-address.ts'
import { helpers, measuredHunt, otherHunts, ownBesides } from './hunt-dataset.ts'

export const grower = {
  email: 'measured@bench.sungrove.example',
  password: 'seven green terraces at dawn',
  firstName: 'Bench',
  lastName: 'Mark',
  birthday: '1990-01-01',
}

const filledTables = ['hunts', 'hunt_shares', 'genotypes', 'plants', 'traits', 'grow_logs', 'observations', 'hunt_events']

/** Fills the empty database of DATA_DIR and its media folder with `hunts` hunts of other people, `filled` of them with plants. */
export async function loadHunt(dataDir: string, { hunts, filled }: { hunts: number; filled: number }): Promise<void> {
  await withDatabase(async ({ db, database }) => {
    const passwordHash = await hashPassword(grower.password)
    const owner = await inTransaction(db, (tx) => insertAccount(tx, { ...grower, userType: 'consumer', passwordHash }, new Date()))
    if (owner === null) throw new Error('The database is not empty.')
    const client = new pg.Client({ connectionString: database.url, application_name: 'sungrove bench' })
    await client.connect()
    try {
      await client.query('begin')
      await client.query("set local maintenance_work_mem = '512MB'")
      await client.query(`update users set email_verified = true, has_completed_onboarding = true where id = '${owner}'`)
      for (const helper of helpers) await client.query(helper)
      const fill = async (steps: readonly (readonly [string, string])[]) => {
        for (const [what, statement] of steps) {
          const start = performance.now()
          const { rowCount } = await client.query(statement)
          console.log(`${what.padEnd(18)} ${String(rowCount).padStart(9)} ${((performance.now() - start) / 1000).toFixed(1).padStart(7)} s`)
        }
      }
      const restore = await setAsideConstraints(client, filledTables)
      await fill(otherHunts(hunts, filled))
      await restore()
      await client.query('analyze')
      const ids = [`'${newId()}'::uuid`, `'${owner}'::uuid`] as const
      await fill(ownBesides(...ids))
      await fill(measuredHunt(...ids))
      await client.query('commit')
      await client.query('vacuum analyze')
      const { rows } = await client.query<{ id: string }>(`select id from media where owner_id = '${owner}'`)
      await addPictures(
        path.join(dataDir, 'media', 'media'),
        rows.map(({ id }) => id),
      )
    } finally {
      await client.end()
    }
  })
}

/** One picture for all IDs, in every size and format, stored on disk only once. */
async function addPictures(folder: string, ids: readonly string[]): Promise<void> {
  const noise = sharp({
    create: { width: 640, height: 480, channels: 3, background: '#2f5d34', noise: { type: 'gaussian', mean: 110, sigma: 30 } },
  })
  const first = path.join(folder, ids[0] as string)
  fs.mkdirSync(first, { recursive: true })
  for (const [i, size] of pictureSizes.entries()) {
    const picture = noise.clone().resize(i === 0 ? 320 : 640)
    await picture
      .clone()
      .avif({ quality: 40, effort: 0 })
      .toFile(path.join(first, `${size}.avif`))
    await picture
      .clone()
      .webp({ quality: 60 })
      .toFile(path.join(first, `${size}.webp`))
  }
  const files = fs.readdirSync(first)
  for (const id of ids.slice(1)) {
    fs.mkdirSync(path.join(folder, id))
    for (const file of files) fs.linkSync(path.join(first, file), path.join(folder, id, file))
  }
}
