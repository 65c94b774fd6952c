import type { CurrentUser } from '../../contracts/accounts.ts'
import type { Boot } from '../../contracts/boot.ts'
import type { Context } from '../kernel/context.ts'

/** Of the language that a browser asks for first: "en-GB,en;q=0.9" is GB. */
function regionOf(languages: string): string {
  const [language = ''] = languages.split(/[,;]/)
  try {
    return new Intl.Locale(language.trim()).maximize().region ?? 'US'
  } catch {
    return 'US'
  }
}

/** What the page needs before its first paint: who we are, who the viewer is, and the first answers. `languages`: as the browser lists them. */
export function makeBoot(ctx: Context, user: CurrentUser | null, answers: Boot['answers'], languages = ''): Boot {
  const { config } = ctx
  return {
    brand: ctx.brand,
    user,
    answers,
    isProduction: config.isProduction,
    now: ctx.clock.now().getTime(),
    region: user?.preferences.region ?? regionOf(languages),
    openIdName: config.oidc?.name ?? null,
    map: {
      tileUrl: config.map.tileUrl ?? null,
      // A local file is served by us: see app/static-files.ts.
      pmtilesUrl: config.map.pmtiles ? (/^https?:/.test(config.map.pmtiles) ? config.map.pmtiles : '/map.pmtiles') : null,
    },
  }
}
