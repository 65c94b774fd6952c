import { createFileRoute } from '@tanstack/react-router'
import { HuntScreen } from '../features/plants/hunt-screen.tsx'
import { type HuntSearch, readHuntSearch } from '../features/plants/hunt-search.ts'
import { readLater } from '../lib/search-params.ts'

export const Route = createFileRoute('/pheno-hunt_/$id')({ validateSearch: readLater<HuntSearch>, component: HuntPage })

function HuntPage() {
  const { id } = Route.useParams()
  return <HuntScreen key={id} id={id} search={readHuntSearch(Route.useSearch())} />
}
