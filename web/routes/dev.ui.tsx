import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { NotFoundScreen } from '../features/not-found/not-found-screen.tsx'

/** With `npm run dev` alone: a build leaves out what is shown here. */
const Page = import.meta.env.DEV
  ? lazy(async () => ({ default: (await import('../features/showcase/showcase.tsx')).Showcase }))
  : NotFoundScreen

export const Route = createFileRoute('/dev/ui')({ component: Page })
