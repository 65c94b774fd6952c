export const searchKinds = ['business', 'product', 'post', 'person', 'community', 'strain'] as const

/** Maximum length of a query. */
export const maxSearchLength = 120
