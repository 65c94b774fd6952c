import { createFileRoute } from '@tanstack/react-router'
import { type HuntSearch, readHuntSearch } from '#web/entities/hunts/hunt-search.ts'
import { huntOptions } from '#web/entities/hunts/hunts.api.ts'
import { genotypesOptions } from '#web/entities/plants/plants.api.ts'
import { prefetch } from '#web/lib/prefetch.ts'
import { parseLater } from '#web/lib/search-params.ts'
import { HuntScreen } from '#web/screens/hunts/hunt-screen.tsx'

export const Route = createFileRoute('/pheno-hunt_/$id')({
  validateSearch: parseLater<HuntSearch>,
  loaderDeps: ({ search }) => ({ showsPlants: search.section === undefined }),
  loader: ({ context, params: { id }, deps }) => {
    prefetch(context, huntOptions(id))
    if (deps.showsPlants) prefetch(context, genotypesOptions(id))
  },
  component: HuntPage,
})

function HuntPage() {
  const { id } = Route.useParams()
  return <HuntScreen key={id} id={id} search={readHuntSearch(Route.useSearch())} />
}
