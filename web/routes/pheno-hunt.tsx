import { createFileRoute } from '@tanstack/react-router'
import { type PhenoHuntSearch, readPhenoHuntSearch } from '#web/entities/hunts/hunt-search.ts'
import { huntsOptions, ownActivityOptions, publicHuntsOptions, summaryOptions } from '#web/entities/hunts/hunts.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { parseLater } from '#web/lib/search-params.ts'
import { PhenoHuntScreen } from '#web/screens/hunts/pheno-hunt-screen.tsx'

export const Route = createFileRoute('/pheno-hunt')({
  validateSearch: parseLater<PhenoHuntSearch>,
  loaderDeps: ({ search }) => search,
  loader: ({ context, deps }) => {
    const { tab = 'hunts', search = '' } = readPhenoHuntSearch(deps)
    prefetch(context, huntsOptions)
    if (tab === 'hunts') prefetch(context, summaryOptions, ownActivityOptions)
    if (tab === 'community') prefetch(context, publicHuntsOptions(search))
  },
  component: PhenoHunt,
})

function PhenoHunt() {
  return <PhenoHuntScreen search={readPhenoHuntSearch(Route.useSearch())} />
}
