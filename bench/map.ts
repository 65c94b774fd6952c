import os from 'node:os'
import path from 'node:path'
import { frameLine } from './frames.ts'
import { measureMap } from './map-screens.ts'
import { benchFolder, freePort, startSungrove } from './processes.ts'
import { save } from './report.ts'
import { signIn } from './sign-in.ts'

/**
 * `npm run bench:map`: drags and zooms Discover's map with the shipped directory over the country, a state and a city, in Chromium
 * (`CHROMIUM=/usr/bin/chromium` for the system's). Without a GPU, the CPU draws instead, and slowly. So this shows that our code leaves a
 * GPU enough time per frame, not how fast a GPU draws.
 */
const demo = { email: 'wren@demo.sungrove.example', password: 'a terrace in the morning sun' }

const startedAt = new Date()
const { folder, removeFolder } = benchFolder('map')
console.log('Starting the server on a fresh database with the shipped directory…')
const server = await startSungrove({
  ...{ NODE_ENV: 'production', PORT: String(await freePort()), DATA_DIR: folder, DATABASE_URL: '', PUBLIC_URL: '' },
  ...{ LOG_LEVEL: 'warn', RATE_LIMIT_SCALE: '1000', MAX_EVENT_LOOP_DELAY_MS: '0' },
})
try {
  const cookie = await signIn(server.origin, demo.email, demo.password)
  const screens = await measureMap(server.origin, cookie, process.env.CHROMIUM || undefined)
  console.log('The main thread’s CPU time per frame in ms, without drawing, which a GPU would do')
  for (const { what, pins, businesses, moves } of screens) {
    console.log(`\n${what}: ${pins} pins for ${businesses} businesses`)
    for (const move of moves) {
      console.log(`${frameLine(move)}; workers ${move.workersMs.toFixed(0)} in total, longest task ${move.longestWorkerTaskMs.toFixed(0)}`)
    }
  }
  const load = os.loadavg()
  console.log(
    `\nLoad ${load.map((each) => each.toFixed(1)).join(', ')}. Written to ${path.relative(process.cwd(), save({ screens, load }, startedAt, 'map'))}`,
  )
} finally {
  await server.stop()
  removeFolder()
}
