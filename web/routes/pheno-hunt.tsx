import { createFileRoute } from '@tanstack/react-router'
import { PhenoHuntScreen } from '../features/hunts/pheno-hunt-screen.tsx'
import { type PhenoHuntSearch, readPhenoHuntSearch } from '../features/hunts/pheno-hunt-search.ts'
import { readLater } from '../lib/search-params.ts'

export const Route = createFileRoute('/pheno-hunt')({ validateSearch: readLater<PhenoHuntSearch>, component: PhenoHunt })

function PhenoHunt() {
  return <PhenoHuntScreen search={readPhenoHuntSearch(Route.useSearch())} />
}
