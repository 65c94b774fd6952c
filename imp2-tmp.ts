import pg from 'pg'
import { connect } from './server/db/connect.ts'
import { migrate } from './server/db/migrate.ts'
import { importLicenses } from './server/features/directory/index.ts'
const [, , file = 'data/licenses-us.csv', name = 'dir_imp', keep] = process.argv
const url = 'postgres://app@127.0.0.1:5599/' + name
if (!keep) { const admin = new pg.Client('postgres://app@127.0.0.1:5599/postgres'); await admin.connect(); await admin.query(`drop database if exists ${name} with (force)`); await admin.query(`create database ${name}`); await admin.end(); await migrate(url) }
const { db, close } = connect(url, { databasePoolSize: 4, statementTimeoutMs: 20000, lockTimeoutMs: 3000 }, console)
const t = performance.now()
let read = 0, peak = 0
const timer = setInterval(() => { peak = Math.max(peak, process.memoryUsage.rss()) }, 50)
let firstPlaced = 0
const s = await importLicenses({ db, clock: { now: () => new Date() } }, { file, dataDir: '/tmp/imp-data', onBytes: b => { read += b }, onPlaced: () => { firstPlaced ||= performance.now() - t } })
clearInterval(timer)
const { refusedWords, authorities, ...rest } = s
console.log(rest, 'ms', Math.round(performance.now() - t), 'listing stage from', Math.round(firstPlaced), 'peak MB', Math.round(peak / 1e6), 'user cpu', process.cpuUsage().user / 1e6)
await close()
