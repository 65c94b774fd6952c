import { createFileRoute, redirect } from '@tanstack/react-router'
import { textParam } from '../lib/search-params.ts'

/** The directory answers until the search over everything exists. */
export const Route = createFileRoute('/search')({
  validateSearch: ({ q }: Record<string, unknown>): { q?: string | undefined } => ({ q: textParam(q, 120) }),
  beforeLoad: ({ search: { q } }) => {
    throw redirect({ to: '/discover', search: q ? { search: q } : {}, replace: true })
  },
})
