import { createFileRoute } from '@tanstack/react-router'
import { HuntScreen } from '../features/plants/hunt-screen.tsx'
import { readHuntSearch } from '../features/plants/hunt-search.ts'

export const Route = createFileRoute('/pheno-hunt_/$id')({ validateSearch: readHuntSearch, component: HuntPage })

function HuntPage() {
  const { id } = Route.useParams()
  return <HuntScreen key={id} id={id} search={Route.useSearch()} />
}
