import { getActivity, listFeatured, listTrending } from '#contracts/calls/home.ts'
import { callOptions } from '#web/lib/call.ts'
import { othersChange } from '#web/lib/query-client.ts'

export const trendingOptions = callOptions(listTrending, {})

export const featuredOptions = callOptions(listFeatured, {})

export const activityOptions = { ...callOptions(getActivity, {}), meta: othersChange }
