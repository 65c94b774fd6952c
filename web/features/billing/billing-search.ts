import { type SearchParams, textParam } from '../../lib/search-params.ts'

/** Whose billing is shown: that of the business with this slug, or one's own. */
export const readBillingSearch = ({ business }: SearchParams): { business?: string | undefined } => ({ business: textParam(business, 120) })
