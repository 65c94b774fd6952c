import { readRecords } from './server/features/directory/read-records.ts'
import { readHeader } from './server/features/directory/columns.ts'
import { readLicense } from './server/features/directory/license-row.ts'
let header: any, n = 0
const c0 = process.cpuUsage()
for await (const recs of readRecords(''+(process.argv[3] ?? '/tmp/m200.csv')+'', () => {})) for (const r of recs) {
  if (!('fields' in r)) continue
  if (!header) { header = readHeader(r.fields); continue }
  n++; if (process.argv[2] !== 'csv') readLicense(header.toRow(r.fields))
}
console.log(process.memoryUsage(), n, process.cpuUsage(c0).user / 1000 / n * 1000, 'us/row', Math.round(process.memoryUsage.rss() / 1e6), 'MB')
