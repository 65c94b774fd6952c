import fs from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Preloaded into a server (`node --import`): on SIGUSR2, collects garbage and writes the memory still in use to MEMORY_FILE. */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  fs.writeFileSync(process.env.MEMORY_FILE as string, JSON.stringify({ heapUsed, external, rss }))
})
