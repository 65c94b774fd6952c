// Run by the fault tests as a separate process: node embedded-process.ts DATA_DIR server|command
// Prints events as one JSON object per line, and shuts down cleanly on SIGTERM.
import { startEmbedded } from '#server/db/embedded.ts'

const report = (event: Record<string, unknown>) => console.log(JSON.stringify(event))
const [dataDir = '', as] = process.argv.slice(2)
try {
  const embedded = await startEmbedded({
    dataDir,
    as: as === 'command' ? 'command' : 'server',
    log: { info() {}, warn: (message) => report({ event: 'warned', message }) },
    onLost(reason) {
      report({ event: 'lost', reason })
      process.exit(1)
    },
  })
  process.once('SIGTERM', async () => {
    await embedded.stop()
    process.exit(0)
  })
  report({ event: 'ready', url: embedded.url, isOwner: embedded.isOwner() })
  let wasOwner = false
  // Never cleared, so it also keeps this process running.
  setInterval(() => {
    if (embedded.isOwner() && !wasOwner) report({ event: 'owner' })
    wasOwner = embedded.isOwner()
  }, 20)
} catch (error) {
  report({ event: 'failed', message: (error as Error).message })
  process.exit(1)
}
