import { type SearchParams, textParam } from '#web/lib/search-params.ts'

/** `business` is a slug; undefined selects the viewer's own billing. */
export const readBillingSearch = ({ business }: SearchParams): { business?: string | undefined } => ({ business: textParam(business, 120) })
