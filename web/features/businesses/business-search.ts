import * as z from 'zod/mini'

export const businessTabs = ['products', 'posts', 'reviews', 'tools'] as const
export type BusinessTab = (typeof businessTabs)[number]

/** The first tab has no word in the address. */
export const BusinessSearch = z.object({ tab: z.catch(z.optional(z.enum(businessTabs)), undefined) })
