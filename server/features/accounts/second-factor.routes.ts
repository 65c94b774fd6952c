import * as contract from '#contracts/second-factor.ts'
import { type Api, route } from '#server/kernel/route.ts'
import type { Auth } from './auth.ts'
import {
  beginSecondFactor,
  confirmSecondFactor,
  getSecondFactor,
  renewRecoveryCodes,
  showSecondFactor,
  turnOffSecondFactor,
} from './second-factor.ts'

export function addSecondFactor(api: Api, auth: Auth): void {
  route(api, contract.getSecondFactor, ({ ctx, session }) => getSecondFactor(ctx, session))

  route(api, contract.beginSecondFactor, ({ ctx, actor, body }) => beginSecondFactor(ctx, auth, actor, body.password))

  route(api, contract.confirmSecondFactor, async ({ ctx, actor, body, reply }) => {
    // Codes that are shown only once must not be cached.
    reply.header('cache-control', 'no-store')
    return { recoveryCodes: await confirmSecondFactor(ctx, actor, body.code) }
  })

  route(api, contract.showSecondFactor, async ({ ctx, actor, body }) => {
    await showSecondFactor(ctx, actor, body.code)
    return undefined
  })

  route(api, contract.renewRecoveryCodes, async ({ ctx, actor, body, reply }) => {
    reply.header('cache-control', 'no-store')
    return { recoveryCodes: await renewRecoveryCodes(ctx, actor, body.code) }
  })

  route(api, contract.turnOffSecondFactor, async ({ ctx, actor, body }) => {
    await turnOffSecondFactor(ctx, auth, actor, body)
    return undefined
  })
}
