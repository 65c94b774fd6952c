export type Brand = {
  name: string
  /** The specification names a route after the brand: `/{slug}`. */
  slug: string
  tagline: string
  supportEmail: string
  copyright: string
}

export const firstYear = 2024

/** The first path segments of all other addresses. A test compares them with the routes. */
const takenSlugs = new Set(
  `accessibility admin api assets auth billing blocked business business-dashboard communities contact create-post data dev developers
  discover drafts embed events favorites feeds guidelines healthz help index invitations landing media menu messages metrics moderation-log
  muted notifications offline onboarding people pheno-hunt places post privacy product products profile readyz resources rules search
  security settings sign-out signup sitemaps standing strains taste terms unsubscribe`.split(/\s+/),
)

const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** Whether the brand's page has an address of its own. */
export const hasOwnAddress = (name: string): boolean => slugOf(name) !== '' && !takenSlugs.has(slugOf(name))

/** Override with `BRAND_NAME` and `SUPPORT_EMAIL`. */
export function makeBrand(settings: { name: string; supportEmail: string; year: number }): Brand {
  const years = settings.year > firstYear ? `${firstYear}–${settings.year}` : `${firstYear}`
  return {
    name: settings.name,
    slug: slugOf(settings.name),
    tagline: 'Where Cannabis Excellence Shines',
    supportEmail: settings.supportEmail,
    copyright: `© ${years} ${settings.name}. All rights reserved.`,
  }
}

/** A neutral app name for the home screen, and the cookie that selects it on a device. */
export const discreetName = 'Notes'
export const discreetCookie = 'discreet'
