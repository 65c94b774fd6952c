import { createFileRoute } from '@tanstack/react-router'
import { lazy } from 'react'
import { NotFoundScreen } from '#web/ui/not-found-screen.tsx'

/** Requires `npm run dev`, because builds omit its content. */
const Page = import.meta.env.DEV
  ? lazy(async () => ({ default: (await import('#web/screens/showcase/showcase.tsx')).Showcase }))
  : NotFoundScreen

export const Route = createFileRoute('/dev/ui')({ component: Page })
