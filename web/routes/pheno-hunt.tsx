import { createFileRoute } from '@tanstack/react-router'
import { type PhenoHuntSearch, readPhenoHuntSearch } from '#web/entities/hunts/hunt-search.ts'
import { readLater } from '#web/lib/search-params.ts'
import { PhenoHuntScreen } from '#web/screens/hunts/pheno-hunt-screen.tsx'

export const Route = createFileRoute('/pheno-hunt')({ validateSearch: readLater<PhenoHuntSearch>, component: PhenoHunt })

function PhenoHunt() {
  return <PhenoHuntScreen search={readPhenoHuntSearch(Route.useSearch())} />
}
