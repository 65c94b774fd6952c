import type { Api } from '../../kernel/route.ts'
import { createHub, type HubParts } from './hub.ts'
import { addStream } from './stream.ts'

export { liveRoutes } from './stream.ts'

const beatMs = 20_000
const sessionCheckMs = 60_000

/** Open pages hear of what is new, from whichever process it comes. */
export function registerLive(api: Api, counts: Pick<HubParts, 'unreadCount' | 'unreadMessages'>): void {
  const { app, ctx } = api
  const hub = createHub({ ...ctx, ...counts })
  ctx.live.onSignal(hub.hear)
  addStream(api, hub)
  const timers = [setInterval(hub.beat, beatMs), setInterval(() => void hub.checkSessions(), sessionCheckMs)]
  for (const timer of timers) timer.unref()
  // Before the server waits for the answers that are under way: these would never end by themselves.
  app.addHook('preClose', async () => {
    for (const timer of timers) clearInterval(timer)
    hub.close()
  })
}
