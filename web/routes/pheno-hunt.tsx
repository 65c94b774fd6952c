import { createFileRoute } from '@tanstack/react-router'
import { PhenoHuntScreen } from '../features/hunts/pheno-hunt-screen.tsx'
import { readPhenoHuntSearch } from '../features/hunts/pheno-hunt-search.ts'

export const Route = createFileRoute('/pheno-hunt')({ validateSearch: readPhenoHuntSearch, component: PhenoHunt })

function PhenoHunt() {
  return <PhenoHuntScreen search={Route.useSearch()} />
}
