/**
 * Static text pages, which are always public, whatever the state of the account. The web app's first script contains this list, so keep
 * schemas out of this file.
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
