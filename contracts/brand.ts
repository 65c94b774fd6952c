export type Brand = {
  name: string
  /** The specification names a route after the brand: `/{slug}`. */
  slug: string
  tagline: string
  supportEmail: string
  copyright: string
}

export const firstYear = 2024

/** Override with `BRAND_NAME` and `SUPPORT_EMAIL`. */
export function makeBrand(settings: { name: string; supportEmail: string; year: number }): Brand {
  const years = settings.year > firstYear ? `${firstYear}–${settings.year}` : `${firstYear}`
  return {
    name: settings.name,
    slug: settings.name
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[\u0300-\u036f]/g, '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
    tagline: 'Where Cannabis Excellence Shines',
    supportEmail: settings.supportEmail,
    copyright: `© ${years} ${settings.name}. All rights reserved.`,
  }
}

/** A neutral app name for the home screen, and the cookie that selects it on a device. */
export const discreetName = 'Notes'
export const discreetCookie = 'discreet'
