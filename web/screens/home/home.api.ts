import { getActivity, listFeatured, listTrending } from '#contracts/calls/home.ts'
import { callOptions } from '#web/lib/call.ts'
import type { Near } from '#web/lib/near-home.ts'
import { othersChange } from '#web/lib/query-client.ts'

export const trendingOptions = (query: Near) => callOptions(listTrending, { query })

export const featuredOptions = (query: Near) => callOptions(listFeatured, { query })

export const activityOptions = { ...callOptions(getActivity, {}), meta: othersChange }
