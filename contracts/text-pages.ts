/**
 * The pages of nothing but our own words, which everybody may read in every state. The web app's first script holds this list, so that no
 * schema belongs here.
 */
export const textPages: readonly string[] = [
  '/help',
  '/guidelines',
  '/rules',
  '/resources',
  '/contact',
  '/privacy',
  '/terms',
  '/data',
  '/accessibility',
]
