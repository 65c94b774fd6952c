import { isUuid } from '#contracts/addresses.ts'
import { type SearchParams, textParam, wordParam } from '#web/lib/search-params.ts'

export const huntSections = ['plants', 'runs', 'lineage', 'climate', 'keepers', 'panels', 'labels', 'archive', 'activity'] as const
export type HuntSection = (typeof huntSections)[number]

const standings = ['open', 'keep', 'retest', 'breed', 'cull'] as const
const sexes = ['unknown', 'female', 'male', 'intersex'] as const

export type HuntSearch = {
  section?: HuntSection
  standing?: (typeof standings)[number]
  sex?: (typeof sexes)[number]
  alive?: true
}

export function readHuntSearch(search: SearchParams): HuntSearch {
  const section = wordParam(search.section, huntSections)
  const standing = wordParam(search.standing, standings)
  const sex = wordParam(search.sex, sexes)
  return {
    ...(section && section !== 'plants' ? { section } : {}),
    ...(standing ? { standing } : {}),
    ...(sex ? { sex } : {}),
    ...(search.alive === true ? { alive: true as const } : {}),
  }
}

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
    ...(search.new === true ? { new: true } : {}),
  }
}
