import { readRecords } from './server/features/directory/read-records.ts'
import { readHeader } from './server/features/directory/columns.ts'
import { readLicense } from './server/features/directory/license-row.ts'
const file = process.argv[2] ?? 'data/licenses-us.csv'
console.time('all')
let header: any, n = 0
const notes = new Map<string, number>(), refused: any[] = [], rows: any[] = [], reps = new Map<string, string[]>()
for await (const recs of readRecords(file, () => {})) for (const r of recs) {
  if (!('fields' in r)) { refused.push(r); continue }
  if (!header) { header = readHeader(r.fields); continue }
  n++
  const raw = header.toRow(r.fields)
  const x = readLicense(raw)
  if ('refused' in x) { refused.push([r.line, x.refused]); continue }
  for (const note of x.notes) { notes.set(note, (notes.get(note) ?? 0) + 1) }
  rows.push({ line: r.line, raw, ...x })
}
console.timeEnd('all')
console.log(n, notes, refused.slice(0, 10))
const keys = new Map<string, any>(); let rep = 0
for (const r of rows) { const k = r.license.register_key; if (keys.has(k)) { rep++; console.log('repeat', r.line, k, r.raw.dba_name, '|', keys.get(k).raw.dba_name) } else keys.set(k, r) }
const places = new Map<string, any[]>(); for (const r of rows) if (r.license.register_place) places.set(r.license.register_place, [...(places.get(r.license.register_place) ?? []), r])
console.log('repeats', rep, 'places', places.size)
const by: any = {}; for (const p of places.values()) { const s = p[0].license.state; by[s] = (by[s] ?? 0) + 1 }; console.log(by)
const nopin = [...places.values()].filter(p => p.every(r => r.license.latitude === null)); console.log('places without pin', nopin.length, nopin.slice(0, 40).map(p => JSON.stringify([p[0].raw.state,p[0].raw.dba_name, p[0].raw.street, p[0].raw.city, p[0].raw.zip, '=>', p[0].license.street, p[0].license.city, p[0].license.zip])).join('\n'))
const nocity = [...places.values()].filter(p => !p[0].license.city); console.log('places without city', nocity.length, nocity.slice(0, 30).map(p => JSON.stringify([p[0].raw.state,p[0].raw.dba_name, p[0].raw.street, p[0].raw.city, p[0].raw.county, p[0].raw.zip, '=>', p[0].license.street, p[0].license.city, p[0].license.zip, p[0].license.geo_precision])).join('\n'))
const rep2 = rows.filter(r => r.notes.includes('address repaired')); const st: any = {}; for (const r of rep2) { st[r.raw.state] = (st[r.raw.state] ?? 0) + 1 }; console.log('repaired', st)
for (const s of Object.keys(st)) console.log(rep2.filter(r => r.raw.state === s).slice(0, 6).map(r => JSON.stringify([s, r.raw.street, r.raw.city, r.raw.zip, '=>', r.license.street, r.license.city, r.license.zip, r.license.geo_precision])).join('\n'))
const nm = rows.filter(r => r.raw.dba_name !== r.license.business_name); console.log('names', nm.length, nm.filter((_, i) => i % 17 === 0).slice(0, 70).map(r => r.raw.dba_name + ' => ' + r.license.business_name).join('\n'))
const str = rows.filter(r => r.raw.street && r.raw.street !== r.license.street); console.log('streets', str.length, str.filter((_, i) => i % 47 === 0).slice(0, 40).map(r => r.raw.street + ' => ' + r.license.street).join('\n'))
const out = rows.filter(r => r.notes.some((x: string) => x.startsWith('coordinates'))); console.log('out of state', out.length, out.filter(r=>r.raw.state!=='VT').slice(0,30).map(r => JSON.stringify([r.line,r.raw.state, r.raw.city, r.raw.zip, r.raw.latitude, r.raw.longitude, '=>', r.license.latitude, r.license.longitude, r.license.geo_precision])).join('\n'))
const { findCity } = await import('./server/kernel/geo/gazetteer.ts')
const unk = new Map<string, number>(); for (const r of rows) if (r.license.city && !findCity(r.license.city, r.license.state)) unk.set(r.license.state + ' ' + r.license.city, (unk.get(r.license.state + ' ' + r.license.city) ?? 0) + 1)
console.log('unknown cities', unk.size, [...unk].slice(0, 80))
