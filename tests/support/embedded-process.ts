// Run by the fault tests as a process of its own: node embedded-process.ts DATA_DIR server|command
// Tells what becomes of it, one JSON object a line, and ends in order when it gets a SIGTERM.
import { startEmbedded } from '../../server/db/embedded.ts'

const tell = (event: Record<string, unknown>) => console.log(JSON.stringify(event))
const [dataDir = '', as] = process.argv.slice(2)
try {
  const embedded = await startEmbedded({
    dataDir,
    as: as === 'command' ? 'command' : 'server',
    log: { info() {}, warn: (message) => tell({ event: 'warned', message }) },
    onLost(reason) {
      tell({ event: 'lost', reason })
      process.exit(1)
    },
  })
  process.once('SIGTERM', async () => {
    await embedded.stop()
    process.exit(0)
  })
  tell({ event: 'ready', url: embedded.url, isOwner: embedded.isOwner() })
  let wasOwner = false
  // Never cleared: it also keeps this process running.
  setInterval(() => {
    if (embedded.isOwner() && !wasOwner) tell({ event: 'owner' })
    wasOwner = embedded.isOwner()
  }, 20)
} catch (error) {
  tell({ event: 'failed', message: (error as Error).message })
  process.exit(1)
}
