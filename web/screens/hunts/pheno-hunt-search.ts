import { isUuid } from '#contracts/uuid.ts'
import { type SearchParams, textParam, wordParam } from '#web/lib/search-params.ts'

const tabs = ['hunts', 'logs', 'tracker', 'community'] as const
export type PhenoHuntTab = (typeof tabs)[number]
export type PhenoHuntSearch = { tab?: PhenoHuntTab; hunt?: string; search?: string; new?: boolean }

export function readPhenoHuntSearch(search: SearchParams): PhenoHuntSearch {
  const tab = wordParam(search.tab, tabs)
  const hunt = textParam(search.hunt, 36)
  const text = textParam(search.search, 80)
  return {
    ...(tab && tab !== 'hunts' ? { tab } : {}),
    ...(hunt && isUuid(hunt) ? { hunt } : {}),
    ...(text && tab === 'community' ? { search: text } : {}),
    // Opens the form for a new hunt.
    ...(search.new === true ? { new: true } : {}),
  }
}
