import { createFileRoute } from '@tanstack/react-router'
import { type HuntSearch, readHuntSearch } from '#web/entities/hunts/hunt-search.ts'
import { readLater } from '#web/lib/search-params.ts'
import { HuntScreen } from '#web/screens/hunts/hunt-screen.tsx'

export const Route = createFileRoute('/pheno-hunt_/$id')({ validateSearch: readLater<HuntSearch>, component: HuntPage })

function HuntPage() {
  const { id } = Route.useParams()
  return <HuntScreen key={id} id={id} search={readHuntSearch(Route.useSearch())} />
}
