import fs from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Loaded before a server (`node --import`): at SIGUSR2 it collects its garbage and writes what is left to the file MEMORY_FILE names. */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

process.on('SIGUSR2', () => {
  collect()
  collect()
  const { heapUsed, external, rss } = process.memoryUsage()
  fs.writeFileSync(process.env.MEMORY_FILE as string, JSON.stringify({ heapUsed, external, rss }))
})
