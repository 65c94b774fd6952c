import { createFileRoute } from '@tanstack/react-router'
import { readPlotSearch } from '../features/showcase/plot-search.ts'
import { PlotShowcase } from '../features/showcase/plots.tsx'

/**
 * Outside production only: the route guard answers "not found" there. `?amount=few&only=growth` shows one plot; it is read by the page,
 * since what a route itself reads of its address is in everybody's first load.
 */
export const Route = createFileRoute('/dev/plots')({ component: Page })

function Page() {
  const { amount = 'many', only } = readPlotSearch(Object.fromEntries(new URLSearchParams(window.location.search)))
  return <PlotShowcase amount={amount} only={only} />
}
