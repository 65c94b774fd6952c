import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx'

/** Requires `npm run dev`. `?amount=few&only=growth` shows one plot. */
const Page = import.meta.env.DEV
  ? lazy(async () => {
      const { PlotShowcase, readPlotSearch } = await import('#web/screens/showcase/plots.tsx')
      const { amount = 'many', only } = readPlotSearch(Object.fromEntries(new URLSearchParams(window.location.search)))
      return { default: () => <PlotShowcase amount={amount} only={only} /> }
    })
  : NotFoundScreen

export const Route = createFileRoute('/dev/plots')({ component: Page })
