import { type SearchParams, wordParam } from '../../lib/search-params.ts'

export const adminTabs = ['claims', 'licenses', 'invoices'] as const
export type AdminTab = (typeof adminTabs)[number]

/** The first tab has no word in the address. */
export const readAdminSearch = (search: SearchParams): { tab?: AdminTab | undefined } => ({ tab: wordParam(search.tab, adminTabs) })
