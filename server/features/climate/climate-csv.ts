import { Readable } from 'node:stream'
import { Id } from '../../../contracts/ids.ts'
import type { Db } from '../../db/connect.ts'
import { requireAccess } from '../../kernel/actor.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Api } from '../../kernel/route.ts'
import { requireHunt } from '../hunts/index.ts'
import { type ReadingColumns, readingRows, sensorRows } from './climate.queries.ts'

export const climateFileRoutes = ['GET /api/pheno-hunts/:id/climate.csv']

/** Every reading of a hunt as a file that a spreadsheet opens and the import takes back: times in UTC, SI units. */
export function serveClimateFile({ app, ctx }: Api): void {
  app.get('/api/pheno-hunts/:id/climate.csv', async (request, reply) => {
    const session = await ctx.sessions.read(request.headers.cookie)
    const actor = session?.actor ?? null
    requireAccess('member', actor)
    if (!actor) return
    await ctx.rateLimiter.consume('read', `account:${actor.id}`)
    const id = Id.safeParse((request.params as { id: string }).id)
    if (!id.success) throw notFound('There is no such hunt.')
    await requireHunt(ctx.db, actor, id.data, 'view')
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', 'attachment; filename="climate.csv"')
      .header('cache-control', 'private, no-store')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(lines(ctx.db, id.data)))
  })
}

const rowsAtOnce = 5000
const header = 'Timestamp,Sensor,Temperature (°C),Humidity (%),Leaf temperature (°C),CO2 (ppm),VPD (kPa)\r\n'

/** The newest first. The pages are read as they are sent: of a file that somebody takes slowly, no more than one is held. */
async function* lines(db: Db, huntId: string): AsyncGenerator<string> {
  yield `\uFEFF${header}`
  const names = new Map((await sensorRows(db, huntId)).map(({ id, name }) => [id, quoted(name)]))
  const sensorIds = [...names.keys()]
  for (let after: { at: string; sensorId: string } | null = null; ; ) {
    const rows: ReadingColumns[] = await readingRows(db, { sensorIds }, after, rowsAtOnce)
    yield rows
      .map((row) =>
        [
          row.read_at.toISOString(),
          names.get(row.sensor_id) ?? '',
          row.air_celsius,
          row.humidity_percent,
          row.leaf_celsius ?? '',
          row.co2_ppm ?? '',
          row.vpd_kpa,
        ].join(','),
      )
      .map((line) => `${line}\r\n`)
      .join('')
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = { at: last.read_at.toISOString(), sensorId: last.sensor_id }
  }
}

/** Quoted, and with an apostrophe where a spreadsheet would take it for a formula. */
const quoted = (text: string) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
