import type { Api } from '#server/kernel/route.ts'
import { addStream, createHub, type HubParts } from './hub.ts'

export { liveRoutes } from './hub.ts'

const beatMs = 20_000
const sessionCheckMs = 60_000

export function registerLive(api: Api, counts: Pick<HubParts, 'unreadCount' | 'unreadMessages'>): void {
  const { app, ctx } = api
  const hub = createHub({ ...ctx, ...counts })
  ctx.live.onSignal(hub.hear)
  addStream(api, hub)
  const timers = [setInterval(hub.beat, beatMs), setInterval(() => void hub.checkSessions(), sessionCheckMs)]
  for (const timer of timers) timer.unref()
  // Runs before the server waits for open responses: these streams never end on their own.
  app.addHook('preClose', async () => {
    for (const timer of timers) clearInterval(timer)
    hub.close()
  })
}
