import { Readable } from 'node:stream'
import { csvLine, csvStart } from '../../../contracts/csv.ts'
import { IdParams } from '../../../contracts/ids.ts'
import type { Db } from '../../db/connect.ts'
import { memberFile } from '../../kernel/member-file.ts'
import type { Api } from '../../kernel/route.ts'
import { requireHunt } from '../hunts/index.ts'
import { type ReadingColumns, readingRows, sensorRows } from './climate.queries.ts'

const path = '/api/pheno-hunts/:id/climate.csv'

export const climateFileRoutes = [`GET ${path}`]

/** Every reading of a hunt as a file that a spreadsheet opens and the import takes back: times in UTC, SI units. */
export const serveClimateFile = (api: Api): void =>
  memberFile(api, {
    path,
    params: IdParams,
    async file({ ctx, actor, params }) {
      await requireHunt(ctx.db, actor, params.id, 'view')
      return { name: 'climate.csv', type: 'text/csv; charset=utf-8', body: Readable.from(lines(ctx.db, params.id)) }
    },
  })

const rowsAtOnce = 5000
const head = ['Timestamp', 'Sensor', 'Temperature (°C)', 'Humidity (%)', 'Leaf temperature (°C)', 'CO2 (ppm)', 'VPD (kPa)']

/** The newest first. The pages are read as they are sent: of a file that somebody takes slowly, no more than one is held. */
async function* lines(db: Db, huntId: string): AsyncGenerator<string> {
  yield csvStart + csvLine(head)
  const names = new Map((await sensorRows(db, huntId)).map(({ id, name }) => [id, name]))
  const sensorIds = [...names.keys()]
  for (let after: { at: string; sensorId: string } | null = null; ; ) {
    const rows: ReadingColumns[] = await readingRows(db, { sensorIds }, after, rowsAtOnce)
    yield rows
      .map((row) =>
        csvLine([
          row.read_at.toISOString(),
          names.get(row.sensor_id) ?? '',
          row.air_celsius,
          row.humidity_percent,
          row.leaf_celsius,
          row.co2_ppm,
          row.vpd_kpa,
        ]),
      )
      .join('')
    const last = rows.at(-1)
    if (!last || rows.length < rowsAtOnce) return
    after = { at: last.read_at.toISOString(), sensorId: last.sensor_id }
  }
}
