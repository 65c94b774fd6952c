import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { NotFoundScreen } from '../features/not-found/not-found-screen.tsx'

/** With `npm run dev` alone. `?amount=few&only=growth` shows one plot. */
const Page = import.meta.env.DEV
  ? lazy(async () => {
      const [{ PlotShowcase }, { readPlotSearch }] = await Promise.all([
        import('../features/showcase/plots.tsx'),
        import('../features/showcase/plot-search.ts'),
      ])
      const { amount = 'many', only } = readPlotSearch(Object.fromEntries(new URLSearchParams(window.location.search)))
      return { default: () => <PlotShowcase amount={amount} only={only} /> }
    })
  : NotFoundScreen

export const Route = createFileRoute('/dev/plots')({ component: Page })
