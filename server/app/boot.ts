import type { CurrentUser } from '#contracts/accounts.ts'
import type { Boot } from '#contracts/boot.ts'
import type { Context } from '#server/kernel/context.ts'

/** The region of a browser's preferred language: "en-GB,en;q=0.9" → GB. */
function regionOf(languages: string): string {
  const [language = ''] = languages.split(/[,;]/)
  try {
    return new Intl.Locale(language.trim()).maximize().region ?? 'US'
  } catch {
    return 'US'
  }
}

/** What the web app needs before its first paint: the site, the viewer and the first responses. `languages` is the Accept-Language header. */
export function makeBoot(ctx: Context, user: CurrentUser | null, answers: Boot['answers'], languages = ''): Boot {
  const { config } = ctx
  return {
    brand: ctx.brand,
    user,
    answers,
    isProduction: config.isProduction,
    region: user?.preferences.region ?? regionOf(languages),
    openIdName: config.oidc?.name ?? null,
    map: {
      tileUrl: config.map.tileUrl ?? null,
      // A local file is served by this server: see build-app.ts.
      pmtilesUrl: config.map.pmtiles ? (/^https?:/.test(config.map.pmtiles) ? config.map.pmtiles : '/map.pmtiles') : null,
    },
  }
}
