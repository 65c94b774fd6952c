import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'

const SearchParams = z.object({ q: z.catch(z.optional(z.union([z.string(), z.number()])), undefined) })

/** The directory answers until the search over everything exists. */
export const Route = createFileRoute('/search')({
  validateSearch: SearchParams,
  beforeLoad: ({ search: { q } }) => {
    const search = String(q ?? '').trim()
    throw redirect({ to: '/discover', search: search ? { search } : {}, replace: true })
  },
})
