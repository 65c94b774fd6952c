import { createFileRoute } from '@tanstack/react-router'
import { readLater } from '#web/lib/search-params.ts'
import { PhenoHuntScreen } from '#web/screens/hunts/pheno-hunt-screen.tsx'
import { type PhenoHuntSearch, readPhenoHuntSearch } from '#web/screens/hunts/pheno-hunt-search.ts'

export const Route = createFileRoute('/pheno-hunt')({ validateSearch: readLater<PhenoHuntSearch>, component: PhenoHunt })

function PhenoHunt() {
  return <PhenoHuntScreen search={readPhenoHuntSearch(Route.useSearch())} />
}
