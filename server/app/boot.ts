import type { CurrentUser } from '../../contracts/accounts.ts'
import type { Boot } from '../../contracts/boot.ts'
import type { Context } from '../kernel/context.ts'

/** What the page needs before its first paint: who we are, who the viewer is, and the first answers. */
export function makeBoot(ctx: Context, user: CurrentUser | null, answers: Boot['answers']): Boot {
  const { config } = ctx
  return {
    brand: ctx.brand,
    user,
    answers,
    isProduction: config.isProduction,
    openIdName: config.oidc?.name ?? null,
    map: {
      tileUrl: config.map.tileUrl ?? null,
      // A local file is served by us: see app/static-files.ts.
      pmtilesUrl: config.map.pmtiles ? (/^https?:/.test(config.map.pmtiles) ? config.map.pmtiles : '/map.pmtiles') : null,
    },
  }
}
