import { createFileRoute } from '@tanstack/react-router'
import { readPlotSearch } from '../features/showcase/plot-search.ts'
import { PlotShowcase } from '../features/showcase/plots.tsx'

/** Outside production only: the route guard answers "not found" there. `?amount=few&only=growth` shows one plot. */
export const Route = createFileRoute('/dev/plots')({ validateSearch: readPlotSearch, component: Page })

function Page() {
  const { amount = 'many', only } = Route.useSearch()
  return <PlotShowcase amount={amount} only={only} />
}
